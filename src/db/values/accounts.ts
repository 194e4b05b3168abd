export const apiEnvironments = ['live', 'test'] as const;
