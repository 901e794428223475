import { speak } from "./stdio.ts";

await speak(process.argv[2]);
