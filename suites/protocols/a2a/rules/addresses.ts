/** Whether a text is an absolute URI, that is, a scheme followed by at least one permitted character. */
export function isUri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i.test(text);
}
