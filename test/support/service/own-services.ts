import { rmSync } from 'node:fs';
import { afterEach } from 'vitest';
import { ServiceProcess } from './service-process.ts';

/** Services of the file that calls this, each in a process and a folder of its own; every test ends with none. */
export const ownServices = (): ((
  env?: Readonly<Record<string, string>>,
  directory?: string,
) => ServiceProcess) => {
  const services: ServiceProcess[] = [];
  afterEach(async () => {
    for (const service of services.splice(0)) {
      await service.stop('SIGKILL');
      rmSync(service.directory, { recursive: true, force: true });
    }
  });
  return (env = {}, directory) => {
    const service = new ServiceProcess(env, directory);
    services.push(service);
    return service;
  };
};
