/** A web address in a text, in any spelling that some program may accept: with surrounding spaces, tabs, backslashes, or no slashes. */
export interface Spelled {
  /** The parsed address; undefined if it cannot be parsed. */
  url?: URL;
  /** Its login as written. */
  login: string;
  /** The names and values of its query as written; the value of a bare name is undefined. */
  query: [name: string, value: string | undefined][];
}

/** Whether a program that parses addresses as browsers do (WHATWG URL) reads a text as an HTTP address. */
export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Parses a text that is an address, or was meant to be one; otherwise undefined. */
export function spellAddress(text: string): Spelled | undefined {
  const wholeText = text.replace(/[\t\n\r]/g, "").trim();
  const [start, scheme = ""] = /^([a-z][a-z0-9+.-]*):[/\\]*/i.exec(wholeText) ?? [];
  if (start === undefined || (!/[/\\]{2}$/.test(start) && !/^(https?|wss?|ftp)$/i.test(scheme))) return undefined;
  const url = URL.canParse(wholeText) ? new URL(wholeText) : undefined;
  const afterStart = wholeText.slice(start.length);
  const [, login = ""] = /^([^/\\?#]*)@/.exec(afterStart) ?? [];
  const [beforeFragment = "", fragment = ""] = afterStart.split(/#(.*)/s);
  const search = /\?(.*)$/s.exec(beforeFragment)?.[1] ?? "";
  const pairs = (part: string): Spelled["query"] =>
    part.split("&").flatMap((each): Spelled["query"] => {
      const index = each.indexOf("=");
      if (each === "") return [];
      return index === -1 ? [[each, undefined]] : [[each.slice(0, index), each.slice(index + 1)]];
    });
  // A fragment is part of a page, unless it looks like a query.
  const fragmentPairs = pairs(fragment).filter(([, value]) => value !== undefined);
  return { login, query: [...pairs(search), ...fragmentPairs], ...(url === undefined ? {} : { url }) };
}

/** Every candidate for an address in a text: the text itself, and its parts. */
export function addressesIn(text: string): Spelled[] {
  if (!text.includes(":")) return [];
  const within = text.match(/[a-z][a-z0-9+.-]*:\/\/[^\s"'<>`]+/gi) ?? [];
  return [...new Set([text, ...within])].flatMap((each) => spellAddress(each) ?? []);
}

/** An address that is safe to show: without login, query and fragment. */
export function shownAddress(address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname === "/" ? "" : pathname}`;
}
