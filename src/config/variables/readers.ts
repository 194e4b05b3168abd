/** Programs that run as long as the service does. */
export const processes = ['api', 'worker', 'relay', 'internal'] as const;
export const everyProgram = [...processes, 'migrate', 'admin'] as const;
export const busUsers = ['api', 'worker', 'relay', 'admin'] as const;
