import { type Judging, judging } from "./module.fixture.ts";

export { claims, text } from "./module.fixture.ts";

const judge: Judging = judging(false);

export default judge;
