const plainCharacter = "[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2}";
const host =
  "\\[[0-9A-Fa-f:.]+\\]|\\[v[0-9A-Fa-f]+\\.[A-Za-z0-9._~!$&'()*+,;=:-]+\\]|(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*";
const authority = `//(?:(?:[A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*@)?(?:${host})(?::[0-9]*)?(?:/(?:${plainCharacter})*)*`;
const path = `/?(?:(?:${plainCharacter})+(?:/(?:${plainCharacter})*)*)?`;
const rest = `(?:${plainCharacter}|[/?])*`;
const strictUri = new RegExp(`^[A-Za-z][A-Za-z0-9+.-]*:(?:${authority}|${path})(?:\\?${rest})?(?:#${rest})?$`);

/** Whether a text is a URI, by RFC 3986 or only with a scheme and anything after it. */
export function isUri(text: string, byTheLetter: boolean): boolean {
  return byTheLetter ? strictUri.test(text) : /^\s*[A-Za-z][A-Za-z0-9+.-]*:/.test(text);
}
