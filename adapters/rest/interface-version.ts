/** The version of the interface. The release has a version of its own. */
export const INTERFACE_VERSION = '1.4.0';
