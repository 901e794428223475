/** A web address in any spelling that some program may accept: with spaces around it, tabs, backslashes, or no slashes. */
export interface LooseAddress {
  /** The parsed address; undefined if it cannot be parsed. */
  url?: URL;
  /** The login as written. */
  login: string;
  /** The names and values of the query as written; the value of a bare name is undefined. */
  query: [name: string, value: string | undefined][];
}

/** Whether a program that parses addresses as browsers do (WHATWG URL) reads a text as an HTTP address. */
export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Parses a text that is an address, or was meant to be an address; undefined for any other text. */
export function parseLooseAddress(text: string): LooseAddress | undefined {
  const cleanText = text.replace(/[\t\n\r]/g, "").trim();
  const [start, scheme = ""] = /^([a-z][a-z0-9+.-]*):[/\\]*/i.exec(cleanText) ?? [];
  if (start === undefined || (!/[/\\]{2}$/.test(start) && !/^(https?|wss?|ftp)$/i.test(scheme))) return undefined;
  const url = URL.canParse(cleanText) ? new URL(cleanText) : undefined;
  const afterStart = cleanText.slice(start.length);
  const [, login = ""] = /^([^/\\?#]*)@/.exec(afterStart) ?? [];
  const [beforeFragment = "", fragment = ""] = afterStart.split(/#(.*)/s);
  const search = /\?(.*)$/s.exec(beforeFragment)?.[1] ?? "";
  const splitPairs = (part: string): LooseAddress["query"] =>
    part.split("&").flatMap((pair): LooseAddress["query"] => {
      const index = pair.indexOf("=");
      if (pair === "") return [];
      return index === -1 ? [[pair, undefined]] : [[pair.slice(0, index), pair.slice(index + 1)]];
    });
  // A fragment contains secrets only if it looks like a query.
  const fragmentPairs = splitPairs(fragment).filter(([, value]) => value !== undefined);
  return { login, query: [...splitPairs(search), ...fragmentPairs], ...(url === undefined ? {} : { url }) };
}

/** Finds all addresses in a text: the text itself if it is an address, and the addresses inside it. */
export function addressesIn(text: string): LooseAddress[] {
  if (!text.includes(":")) return [];
  const embedded = text.match(/[a-z][a-z0-9+.-]*:\/\/[^\s"'<>`]+/gi) ?? [];
  return [...new Set([text, ...embedded])].flatMap((candidate) => parseLooseAddress(candidate) ?? []);
}

/** Returns an address in a form that is safe to show: without login, query and fragment. */
export function shownAddress(address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname === "/" ? "" : pathname}`;
}
