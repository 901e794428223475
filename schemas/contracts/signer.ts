import type { Json } from "../json.ts";

/** Signs a message anew; gives it back as it was when it has no signature, or comes from none of the known keys. */
export type Sign = (message: Json) => Json;
