/** Whether a string is an absolute URI: a scheme, a colon and at least one permitted character. */
export function isUri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i.test(text);
}
