export { type HistoryOptions, historiesOf } from "./histories.ts";
