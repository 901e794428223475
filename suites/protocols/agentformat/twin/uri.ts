// The grammar of RFC 3986.
const plainCharacter = "[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2}";
const host =
  "\\[[0-9A-Fa-f:.]+\\]|\\[v[0-9A-Fa-f]+\\.[A-Za-z0-9._~!$&'()*+,;=:-]+\\]|(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*";
const authority = `//(?:(?:[A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*@)?(?:${host})(?::[0-9]*)?(?:/(?:${plainCharacter})*)*`;
const path = `/?(?:(?:${plainCharacter})+(?:/(?:${plainCharacter})*)*)?`;
const queryOrFragment = `(?:${plainCharacter}|[/?])*`;
const strictUri = new RegExp(
  `^[A-Za-z][A-Za-z0-9+.-]*:(?:${authority}|${path})(?:\\?${queryOrFragment})?(?:#${queryOrFragment})?$`,
);

/** Whether a string is a URI according to RFC 3986. */
export function isStrictUri(text: string): boolean {
  return strictUri.test(text);
}

/** Whether a string starts with a scheme, whatever follows it. */
export function hasUriScheme(text: string): boolean {
  return /^\s*[A-Za-z][A-Za-z0-9+.-]*:/.test(text);
}
