import type { ContainerModuleLoadOptions, ServiceIdentifier } from 'inversify';

/** The class or token of each parameter, in order. */
type IdentifiersOf<Parameters extends unknown[]> = {
  [Index in keyof Parameters]-?: ServiceIdentifier<Parameters[Index]>;
};

/**
 * Binds a class under itself, made once for the process. The compiler checks the list of parameters
 * against the constructor.
 */
export const provide = <T, Parameters extends unknown[]>(
  options: ContainerModuleLoadOptions,
  type: new (...parameters: Parameters) => T,
  parameters: IdentifiersOf<Parameters>,
): void => {
  provideBy(options, type, (...values: Parameters) => new type(...values), parameters);
};

/** Binds the result of a function, such as an adapter of a port or a choice among settings. */
export const provideBy = <T, Parameters extends unknown[]>(
  { bind }: ContainerModuleLoadOptions,
  identifier: ServiceIdentifier<T>,
  make: (...parameters: Parameters) => T,
  parameters: IdentifiersOf<Parameters>,
): void => {
  bind(identifier).toResolvedValue(make, parameters).inSingletonScope();
};
