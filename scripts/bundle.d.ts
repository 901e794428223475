/** The folder of the package for users, built from the present sources. */
export declare function bundled(): Promise<string>;
