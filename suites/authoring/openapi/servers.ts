import { isObject, ownMember, pointer } from "../../../schemas/index.ts";
import type { Sources } from "./source.ts";

/** The addresses of a description's servers that have a path, which the paths of operations do not contain. Variables have their defaults. */
export function serversOf({ root }: Sources): string[] {
  const listed = pointer.at("/servers", root.text.value);
  const servers = Array.isArray(listed) ? listed.filter(isObject) : [];
  return servers.flatMap(({ url, variables }) => {
    if (typeof url !== "string") return [];
    const known = isObject(variables) ? variables : {};
    const filled = url.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
      const variable = ownMember(known, name);
      return isObject(variable) && typeof variable.default === "string" ? variable.default : whole;
    });
    // Without a host, the address refers to the host of the document, which a file does not have.
    const isPath = /^\/(?!\/)/.test(filled);
    const at = URL.canParse(filled, "http://localhost") ? new URL(filled, "http://localhost") : undefined;
    const isNamed = at !== undefined && /^https?:$/.test(at.protocol) && at.pathname !== "/" && !filled.includes("{");
    if (!isNamed) return [];
    return [isPath ? at.pathname : `${at.origin}${at.pathname}`];
  });
}
