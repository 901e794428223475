import { speak } from "./stdio.ts";

void speak(process.argv[2]);
