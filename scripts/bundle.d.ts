/** The folder with the package for users, built from the current sources. */
export declare function bundled(): Promise<string>;
