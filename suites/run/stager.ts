import { TouchstoneError } from "../../schemas/index.ts";
import { packOf } from "../pack/load.ts";
import type { Stager } from "./scenarios.ts";

/** Reference implementations, which have credentials and hooks of their own. */
export function referenceStager(variant: string | undefined): Stager {
  return {
    sides: "all",
    async stage(protocol, side) {
      const { live } = await packOf(protocol);
      const options = { ...(variant === undefined ? {} : { variant }), ...(side === undefined ? {} : { side }) };
      if (live !== undefined) return (await live()).live.stage(options);
      throw new TouchstoneError(
        "usage",
        `${protocol.name} has no reference implementation that scenarios are played with`,
        {
          hint: "name a server with --http",
        },
      );
    },
  };
}
