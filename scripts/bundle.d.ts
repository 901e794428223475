/** The folder of what users get, built of the present sources. */
export declare function bundled(): Promise<string>;
