import type { Options } from "ajv";
import standard from "ajv/dist/runtime/uri.js";

type UriResolver = NonNullable<Options["uriResolver"]>;
type Parsed = ReturnType<UriResolver["parse"]>;

/** An identifier that is compared and never parsed, with the fragment that follows it. */
interface OpaqueUri extends Parsed {
  opaque: string;
}

const { default: ajvResolver } = standard;

/** Whether an identifier is a URN. Validators need not know its parts. */
const isOpaque = (text: string): boolean => /^urn:/i.test(text);

const beforeFragment = (text: string): string => text.replace(/#.*$/s, "");

/** Resolves as Ajv does by default, except that a URN stays as written, because fast-uri throws for `urn:Name`. */
export const uriResolver: UriResolver = {
  parse(text) {
    if (!isOpaque(text)) return ajvResolver.parse(text);
    const opaque = beforeFragment(text);
    const parsed: OpaqueUri = { opaque, ...(opaque === text ? {} : { fragment: text.slice(opaque.length + 1) }) };
    return parsed;
  },
  serialize(parsed) {
    const { opaque, fragment } = parsed as Partial<OpaqueUri>;
    if (opaque === undefined) return ajvResolver.serialize(parsed);
    return fragment === undefined ? opaque : `${opaque}#${fragment}`;
  },
  resolve(base, reference) {
    if (isOpaque(reference)) return reference;
    if (!isOpaque(base)) return ajvResolver.resolve(base, reference);
    if (/^(?:#|$)/.test(reference)) return beforeFragment(base) + reference;
    // Below a URN, another relative reference keeps only the scheme.
    return ajvResolver.resolve("urn:", reference);
  },
};
