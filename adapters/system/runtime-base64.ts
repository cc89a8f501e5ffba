import { encodeBase64With } from '../../domain/kernel/base64.ts';

/** Lets the domain encode base64 with the runtime's own encoder. Whoever starts a service calls it once; again does no harm. */
export const encodeBase64WithRuntime = (): void => encodeBase64With(runtimeBase64);

const runtimeBase64 = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');
