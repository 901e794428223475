/** Wraps an object to record the names of the members that are read. Listing the members counts as reading all of them. */
export function recordReads<T extends object>(members: T): { members: T; readNames: ReadonlySet<string> } {
  const readNames = new Set<string>();
  const recordingHandler: ProxyHandler<T> = {
    get(target, name, receiver) {
      if (typeof name === "string") readNames.add(name);
      return Reflect.get(target, name, receiver);
    },
  };
  return { members: new Proxy(members, recordingHandler), readNames };
}
