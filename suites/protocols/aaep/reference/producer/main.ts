import { speak } from "./stdio.ts";

const [variant, ...choices] = process.argv.slice(2);
void speak(variant === "" ? undefined : variant, choices);
