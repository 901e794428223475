const beginning = "no code at ";

/** What is said of a refusal whose body has nothing at the place (JSON Pointer) where a protocol that names its codes has one. */
export function codeless(at: string): string {
  return `${beginning}${at} of the body`;
}

/** Whether a reason is that. */
export function isCodeless({ message }: { message?: string }): boolean {
  return message?.startsWith(beginning) === true;
}
