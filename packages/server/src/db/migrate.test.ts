import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBareDatabase } from '../testing/databases.ts'
import type { Database } from './database.ts'
import { rollingUpdateOf, isMigrated, migrateDatabase, type Migration, readMigrations, SchemaError } from './migrate.ts'

let database: Database
beforeAll(async () => {
  database = await openBareDatabase(`migrate_${process.env.VITEST_POOL_ID ?? '0'}`)
})
afterAll(() => database.close())

const migrationOf = (id: number, sql: string): Migration => ({ id, name: `step-${id}`, sql, checksum: `sum of ${sql}` })
const firstMigration = migrationOf(1, 'create table one (id int); insert into one values (1)')
const secondMigration = migrationOf(2, 'create table two (id int)')

test('applies missing migrations once and in order', async () => {
  expect(await migrateDatabase(database, [firstMigration])).toEqual(['step-1'])
  expect(await isMigrated(database, secondMigration.id)).toBe(false)
  expect(await migrateDatabase(database, [firstMigration, secondMigration])).toEqual(['step-2'])
  expect(await migrateDatabase(database, [firstMigration, secondMigration])).toEqual([])
  expect(await isMigrated(database, secondMigration.id)).toBe(true)
})

test('lets a former version serve a newer schema only when each later migration declares it', async () => {
  const known = [firstMigration, secondMigration]
  const answerAfter = async (...added: Migration[]) => {
    const former = await openBareDatabase(`former_${process.env.VITEST_POOL_ID ?? '0'}`)
    try {
      await migrateDatabase(former, [...known, ...added])
      return await isMigrated(former, secondMigration.id)
    } finally {
      await former.close()
    }
  }
  const added = migrationOf(3, '-- rolling-update: yes\ncreate table three (id int)')
  const removed = migrationOf(4, '-- rolling-update: no, it is read\ndrop table one')
  expect([await answerAfter(added), await answerAfter(added, removed)]).toEqual([true, false])
})

test('records declarations in a database that an earlier version has migrated', async () => {
  await database.script('alter table migrations drop column keeps_former')
  await migrateDatabase(database, [firstMigration, secondMigration])
  expect(await isMigrated(database, secondMigration.id)).toBe(true)
})

test.each([
  ['a lock timeout', '55P03'],
  ['a deadlock', '40P01'],
])('applies a migration again after %s', async (_what, code) => {
  const served = await openBareDatabase(`served_${process.env.VITEST_POOL_ID ?? '0'}`)
  try {
    await served.script('create sequence attempts')
    const refusedTwice = `do $$ begin
      if nextval('attempts') < 3 then raise exception 'refused' using errcode = '${code}'; end if;
    end $$`
    const migration = { ...migrationOf(1, refusedTwice), checksum: code }
    expect(await migrateDatabase(served, [migration])).toEqual(['step-1'])
  } finally {
    await served.close()
  }
})

test('leaves nothing of a migration that fails', async () => {
  const brokenMigration = migrationOf(3, 'create table three (id int); select 1 / 0')
  await expect(migrateDatabase(database, [firstMigration, secondMigration, brokenMigration])).rejects.toThrow(
    /division/,
  )
  expect(
    await migrateDatabase(database, [firstMigration, secondMigration, migrationOf(3, 'create table three (id int)')]),
  ).toEqual(['step-3'])
})

test('refuses a newer schema and a changed migration with a sentence', async () => {
  await expect(migrateDatabase(database, [firstMigration, secondMigration])).rejects.toThrow(SchemaError)
  await expect(migrateDatabase(database, [firstMigration, secondMigration])).rejects.toThrow(/newer version/)
  const changedMigration = { ...firstMigration, checksum: 'other' }
  await expect(migrateDatabase(database, [changedMigration, secondMigration, migrationOf(3, '')])).rejects.toThrow(
    /was changed after/,
  )
})

test('migrates a database once when two programs start at the same time', async () => {
  const fourthMigration = migrationOf(4, 'create table four (id int)')
  const allMigrations = [
    firstMigration,
    secondMigration,
    migrationOf(3, 'create table three (id int)'),
    fourthMigration,
  ]
  const runs =
    database.kind === 'server'
      ? [migrateDatabase(database, allMigrations), migrateDatabase(database, allMigrations)]
      : [migrateDatabase(database, allMigrations)]
  expect((await Promise.all(runs)).flat()).toEqual(['step-4'])
})

test('names the migrations of the program in order and without gaps', () => {
  const migrations = readMigrations()
  expect(migrations.map(({ id }) => id)).toEqual(migrations.map((_, index) => index + 1))
})

test('refuses a new migration that does not declare whether the former version may run beside it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dala-migrations-'))
  const write = (text: string) => writeFileSync(join(folder, '0058-step.sql'), `${text}\nselect 1;\n`)
  writeFileSync(join(folder, '0057-former.sql'), 'select 1;\n')
  for (const text of [
    '-- A step.',
    '-- rolling-update: no',
    '-- rolling-update: no, ',
    '-- rolling-update: maybe',
    '\n-- rolling-update: yes',
  ]) {
    write(text)
    expect(() => readMigrations(folder)).toThrow(/0058-step does not begin with "-- rolling-update: yes"/)
  }
  write('-- rolling-update: yes')
  expect(readMigrations(folder).map(rollingUpdateOf)).toEqual([{ state: 'not declared' }, { state: 'yes' }])
  write('-- rolling-update: no, the former version writes the old column')
  expect(readMigrations(folder).map(rollingUpdateOf)[1]).toEqual({
    state: 'no',
    reason: 'the former version writes the old column',
  })
})
