/** The commands of `dala`, each declared once; the code of a command is loaded when it runs. */
import type { CommandDeclaration } from './command-line.ts'

export const commands: readonly CommandDeclaration[] = [
  {
    name: 'start',
    summary: 'Starts the server: migrates, seeds on the first start, and serves panel and API on one port.',
    isEndless: true,
    load: async () => (await import('./start.ts')).startServer,
  },
  {
    name: 'migrate',
    summary:
      "Brings the database to this program's schema, after a copy of one with data, and names the applied migrations.",
    options: {
      plan: {
        description:
          'Changes nothing; lists the pending migrations, the tables that each locks, who waits meanwhile, and whether a copy is taken.',
      },
    },
    load: async () => (await import('./migrate.ts')).migrate,
  },
  {
    name: 'backup',
    summary: 'Writes a backup of a running or a stopped server.',
    positionals: [
      {
        name: 'folder',
        description: 'The new folder of the backup; a folder named by the time in DATA_DIR/backups when absent.',
        isOptional: true,
      },
    ],
    load: async () => (await import('./backup.ts')).backUp,
  },
  {
    name: 'restore',
    summary: 'Restores a backup or an hourly copy; the server must be stopped.',
    positionals: [
      {
        name: 'backup',
        description:
          'The folder of a backup, the file of an hourly copy, or s3:<name> or s3:newest of BACKUP_S3_BUCKET.',
      },
    ],
    options: { overwrite: { description: 'Replaces present data.' } },
    load: async () => (await import('./restore.ts')).restore,
  },
  {
    name: 'verify audit',
    summary: 'Checks the chain of the audit log line by line.',
    options: {
      head: { value: 'hash', description: 'A hash noted earlier, which the chain must still contain.' },
    },
    load: async () => (await import('./verify-audit.ts')).verifyAudit,
  },
  {
    name: 'verify backup',
    summary: 'Checks the files of a backup, and reads the database in it without restoring it.',
    positionals: [
      {
        name: 'backup',
        description:
          'The folder of a backup, the file of an hourly copy, or s3:<name> or s3:newest of BACKUP_S3_BUCKET.',
      },
    ],
    load: async () => (await import('./verify-backup.ts')).verifyBackup,
  },
  {
    name: 'user list',
    summary: 'Lists the accounts with their id, email address, name, role and state.',
    options: {
      role: { value: 'role', description: 'Lists only the accounts of a role.' },
      limit: { value: 'number', description: 'Lists at most this number of accounts, 1 to 1000; 100 when absent.' },
    },
    load: async () => (await import('./users.ts')).listUsers,
  },
  {
    name: 'user add',
    summary: 'Creates an account with a random password, which is printed once.',
    options: {
      email: { value: 'address', description: 'The email address.', isRequired: true },
      name: { value: 'name', description: 'The name of the person.', isRequired: true },
      role: { value: 'role', description: 'owner, super-admin, admin or authenticated.', isRequired: true },
    },
    load: async () => (await import('./users.ts')).addUser,
  },
  {
    name: 'user password',
    summary: 'Sets a random password, which is printed once, and ends all sessions of the account.',
    positionals: [{ name: 'email', description: 'The email address of the account.' }],
    load: async () => (await import('./users.ts')).setPassword,
  },
  {
    name: 'doctor',
    summary: 'Checks an installation beside a running or a stopped server, and says what to do.',
    load: async () => {
      const { examine } = await import('./doctor/doctor.ts')
      return (input) => examine(input)
    },
  },
  {
    name: 'seed',
    summary: 'Fills the database completely, as set by SEED, and prints what was created.',
    load: async () => (await import('./seed.ts')).fillDatabase,
  },
]
