import { model } from "./bench/model.ts";
await model(process.argv.slice(2));
