/** How a note ends of what says nothing where it stands, and is probably a mistake. */
export const leftOut = ", and is left out";
