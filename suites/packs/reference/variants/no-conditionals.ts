import type { Variant } from "./variant.ts";

export const noConditionals: Variant = {
  name: "no-conditionals",
  description: "ignores `if`, `then` and `else`",
  affects: (schema) => "if" in schema,
  rewrite({ if: _if, then: _then, else: _else, ...rest }) {
    return rest;
  },
};
