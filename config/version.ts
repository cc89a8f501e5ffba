import packageJson from '../package.json' with { type: 'json' };

/** The version of the release, without the commit that it was built of. */
export const RELEASE: string = packageJson.version;
