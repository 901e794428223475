export { seldom } from "./draw.ts";
export { stepsFrom, walkText } from "./file.ts";
export { Divergence, type Must, type WalkModel } from "./model.ts";
export { type Before, walksAlong } from "./play.ts";
export { type Mishap, mishapIn, mishaps, type Post, postFor, type Turn, turns } from "./post.ts";
export { countIn, oneOf, stepsOf } from "./steps.ts";
export { walkAlong, walksOf } from "./walk.ts";
