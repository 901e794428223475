import { serveStdio } from "./stdio.ts";

const [variant, ...choices] = process.argv.slice(2);
void serveStdio(variant === "" ? undefined : variant, choices);
