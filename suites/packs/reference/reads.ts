/** Wraps an object to record the names of the members that are read. Listing the members counts as reading all of them. */
export function noteReads<T extends object>(members: T): { members: T; read: ReadonlySet<string> } {
  const read = new Set<string>();
  const noting: ProxyHandler<T> = {
    get(target, name, receiver) {
      if (typeof name === "string") read.add(name);
      return Reflect.get(target, name, receiver);
    },
  };
  return { members: new Proxy(members, noting), read };
}
