type Doubt = (text: string) => string | undefined;

const octetCount = (text: string): number => Buffer.byteLength(text);

/** The grammar allows the second 60 and the year 0, but many clocks do not have them. */
function doubtOfTime(text: string): string | undefined {
  if (/(?:^|[Tt])[0-9]{2}:[0-9]{2}:60/.test(text))
    return "a clock without leap seconds, as of POSIX, has no such moment";
  return /^0000-/.test(text) ? "a calendar without a year 0, as that of many programs, has no such day" : undefined;
}

function doubtOfHost(host: string): string | undefined {
  if (octetCount(host) > 253) return "a host name longer than 253 octets is none of the DNS (RFC 1035, 2.3.4)";
  return host.split(".").some((label) => octetCount(label) > 63)
    ? "a label longer than 63 octets is none of the DNS (RFC 1035, 2.3.4)"
    : undefined;
}

function doubtOfAddress(text: string): string | undefined {
  const index = text.lastIndexOf("@");
  if (octetCount(text.slice(0, index)) > 64)
    return "no server has to take a local part longer than 64 octets (RFC 5321, 4.5.3.1.1)";
  if (octetCount(text) > 254) return "an address longer than 254 octets fits into no path (RFC 5321, 4.5.3.1.3)";
  const domain = text.slice(index + 1);
  return domain.startsWith("[") ? undefined : doubtOfHost(domain);
}

/** Matches an address with a scheme that requires a host, and captures the scheme and the authority. */
const webAddress = /^(https?|wss?):(?:\/\/([^/?#]*))?/i;

function doubtOfWebAddress(text: string): string | undefined {
  const [, scheme, authority] = webAddress.exec(text) ?? [];
  if (scheme === undefined) return undefined;
  const host = (authority ?? "").replace(/^.*@/s, "").replace(/:[0-9]*$/, "");
  if (host === "") return `the scheme ${scheme.toLowerCase()} asks for a host (RFC 9110, 4.2; RFC 6455, 3)`;
  // Non-ASCII letters encode an ASCII name.
  if (!/^(?:\[.*\]|[\p{L}\p{M}\p{N}.-]+)$/su.test(host))
    return "a host beyond the syntax of the DNS is not looked up (RFC 3986, 3.2.2)";
  if (!URL.canParse(text)) return "it is no URL of the URL Standard";
  return host.startsWith("[") ? undefined : doubtOfHost(host);
}

const doubts: Readonly<Record<string, Doubt | undefined>> = {
  date: doubtOfTime,
  time: doubtOfTime,
  "date-time": doubtOfTime,
  email: doubtOfAddress,
  "idn-email": doubtOfAddress,
  hostname: doubtOfHost,
  "idn-hostname": doubtOfHost,
  uri: doubtOfWebAddress,
  "uri-reference": doubtOfWebAddress,
  iri: doubtOfWebAddress,
  "iri-reference": doubtOfWebAddress,
};

/** Returns why a correct reader may refuse a string that the grammar of its format allows; undefined if none may. */
export function doubtOf(format: string, text: string): string | undefined {
  return Object.hasOwn(doubts, format) ? doubts[format]?.(text) : undefined;
}
