// The output is one per process, and all of it passes this filter.
let hide = (message: string): string => message;

/** Has everything that is said later on pass through this. It is the only part of the matter that a program needs before it has read a secret. */
export function filterOutput(hider: (message: string) => string): void {
  hide = hider;
}

/** A message without any secret that was read. */
export function hideSecrets(message: string): string {
  return hide(message);
}
