import { isObject, ownMember, pointer } from "../../../schemas/index.ts";
import type { Sources } from "./source.ts";

/** The addresses of a description's servers that have a path, which the paths of operations do not contain. Variables get their defaults. */
export function serversOf({ root }: Sources): string[] {
  const value = pointer.at("/servers", root.text.value);
  const servers = Array.isArray(value) ? value.filter(isObject) : [];
  return servers.flatMap(({ url, variables }) => {
    if (typeof url !== "string") return [];
    const variablesByName = isObject(variables) ? variables : {};
    const expanded = url.replace(/\{([^{}]+)\}/g, (placeholder, name: string) => {
      const variable = ownMember(variablesByName, name);
      return isObject(variable) && typeof variable.default === "string" ? variable.default : placeholder;
    });
    // Without a host, the address refers to the host of the document, which a file does not have.
    const isPath = /^\/(?!\/)/.test(expanded);
    const address = URL.canParse(expanded, "http://localhost") ? new URL(expanded, "http://localhost") : undefined;
    const isUsable =
      address !== undefined &&
      /^https?:$/.test(address.protocol) &&
      address.pathname !== "/" &&
      !expanded.includes("{");
    if (!isUsable) return [];
    return [isPath ? address.pathname : `${address.origin}${address.pathname}`];
  });
}
