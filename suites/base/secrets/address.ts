/** An address of the web in a text, spelled as a program may read it: spaces around it, tabs in it, backslashes, no slashes at all. */
export interface Spelled {
  /** As a program parses it; undefined if none can. */
  url?: URL;
  /** Its login as it is written. */
  login: string;
  /** The names and values of its query as they are written: of a name alone the value is undefined. */
  query: [name: string, value: string | undefined][];
}

/** Whether a text is an address of HTTP to a program that reads addresses as browsers do (WHATWG URL). */
export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** A text as an address, if it is one, or was to be one; undefined otherwise. */
export function spellAddress(text: string): Spelled | undefined {
  const whole = text.replace(/[\t\n\r]/g, "").trim();
  const [start, scheme = ""] = /^([a-z][a-z0-9+.-]*):[/\\]*/i.exec(whole) ?? [];
  if (start === undefined || (!/[/\\]{2}$/.test(start) && !/^(https?|wss?|ftp)$/i.test(scheme))) return undefined;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  const rest = whole.slice(start.length);
  const [, login = ""] = /^([^/\\?#]*)@/.exec(rest) ?? [];
  const [beyond = "", fragment = ""] = rest.split(/#(.*)/s);
  const search = /\?(.*)$/s.exec(beyond)?.[1] ?? "";
  const pairs = (part: string): Spelled["query"] =>
    part.split("&").flatMap((each): Spelled["query"] => {
      const at = each.indexOf("=");
      if (each === "") return [];
      return at === -1 ? [[each, undefined]] : [[each.slice(0, at), each.slice(at + 1)]];
    });
  // A fragment names a place, unless it is written like a query.
  const own = pairs(fragment).filter(([, value]) => value !== undefined);
  return { login, query: [...pairs(search), ...own], ...(url === undefined ? {} : { url }) };
}

/** Everything that may be an address in a text: the text, and its parts. */
export function addressesIn(text: string): Spelled[] {
  if (!text.includes(":")) return [];
  const within = text.match(/[a-z][a-z0-9+.-]*:\/\/[^\s"'<>`]+/gi) ?? [];
  return [...new Set([text, ...within])].flatMap((each) => spellAddress(each) ?? []);
}

/** An address as it may be shown: without login, query and fragment. */
export function shownAddress(address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname === "/" ? "" : pathname}`;
}
