import type { Change, Json } from "../../schemas/index.ts";

/** Changes of one member each, as cases of rules need them. */
export const set = (path: string, value: Json): Change[] => [{ op: "replace", path, value }];
export const add = (path: string, value: Json): Change[] => [{ op: "add", path, value }];
export const remove = (path: string): Change[] => [{ op: "remove", path }];
