import { describe, expect, it } from 'vitest'
import { findNames } from './find-names.ts'
import { findForeignNames } from './resource-names.ts'

const names = new Set(['users', 'tags', 'news', 'uploads', 'listviews', 'list-views'])
const findNamesIn = (source: string, isJsx = false) =>
  findNames(source, names, isJsx).map(({ name, line, form }) => `${line} ${name} ${form}`)

describe('findNames', () => {
  it.each([
    ["if (resource.name === 'users') stop()", ['1 users literal']],
    ['const target = resourceNamed(`tags`)', ['1 tags literal']],
    ["type Person = RecordOf<'users'>", ['1 users literal']],
    ["const path = '/api/users/me'", ['1 users address']],
    ['const path = `/list-views/${id}/restore`', ['1 list-views address']],
    ['const path = `${base}/users`', ['1 users address']],
    ['const label = t(`tags.values.${value}`)', ['1 tags key']],
    ['const rows = sql`select 1\n  from users u join tags on true`', ['1 users table', '1 tags table']],
    ['const all = sql`update ${files} set a = 1 where id in (select id from only uploads)`', ['1 uploads table']],
    ["import { users } from '@dala/model'", ['1 users declaration']],
    ["import { resources } from '@dala/model'\nconst query = of(resources.listviews)", ['2 listviews declaration']],
    ["import { resources as all } from '../x.ts'\nconst { tags } = all", ['2 tags declaration']],
    ["import { resources } from '@dala/model'\nconst one = resources['news']", ['2 news literal']],
    ['const parts = { users: 1, tags: 2 }', ['1 users map', '1 tags map']],
  ])('finds the resource name in %j', (source, foundNames) => {
    expect(findNamesIn(source)).toEqual(foundNames)
  })

  it.each([
    ['const news = await read(); news.update()'],
    ['const { uploads, ...rest } = form'],
    ['view.tags.map(show)'],
    ["import { x } from './tags/users.ts'\nimport('./news.ts')"],
    ['// users and tags\n/** `users` */'],
    ["const text = 'the users of this list, and its tags'"],
    ["const name = 'userstate'; const path = '/api/newsletter'; const key = 'tagset.a'"],
    ['const text = `from users`'],
    ['const answer = { tags, total: 1 }; const one = { tags: [] }'],
    ['const at = other.resources.users'],
  ])('finds no resource name in %j', (source) => {
    expect(findNamesIn(source)).toEqual([])
  })

  it('finds resource names in JSX, and counts lines after characters of several bytes', () => {
    expect(
      findNamesIn('// «ўзбек»\n\nconst a = <Field of="users" title={t(\'news.one\')}>users</Field>', true),
    ).toEqual(['3 users literal', '3 news key'])
  })

  it('counts the lines of resource names from the start of each file', () => {
    expect(findNamesIn("\n\nf('users')")).toEqual(['3 users literal'])
    expect(findNamesIn("\nf('users')")).toEqual(['2 users literal'])
  })
})

describe('namesAgainst', () => {
  const readEngineFile = 'packages/server/src/resources/read/read.ts'
  const neededException = { file: readEngineFile, names: ['users'], reason: 'It is to be handed over.' }
  const findingsOf = (files: Record<string, string>, ...exceptions: (typeof neededException)[]) =>
    findForeignNames(new Map(Object.entries(files)), names, exceptions)

  it('refuses a resource name in a generic folder only', () => {
    const text = "f('users')"
    expect(
      findingsOf({
        [readEngineFile]: text,
        'packages/panel/src/resource/form.tsx': text,
        'packages/server/src/resources/read/read.test.ts': text,
        'packages/panel/src/features/users/list.ts': text,
        'packages/panel/src/resources.ts': text,
      }),
    ).toEqual([
      `${readEngineFile}:1 names the resource "users" (literal)`,
      'packages/panel/src/resource/form.tsx:1 names the resource "users" (literal)',
    ])
  })

  it('allows the resource names of an exception in its file and no other name', () => {
    expect(findingsOf({ [readEngineFile]: "f('users', 'tags')" }, neededException)).toEqual([
      `${readEngineFile}:1 names the resource "tags" (literal)`,
    ])
  })

  it('refuses an exception for a resource name that the file does not need', () => {
    const line = `${readEngineFile} no longer names "users": take it out of the exceptions in scripts/checks/resource-names.ts`
    expect(findingsOf({ [readEngineFile]: 'f()' }, neededException)).toEqual([line])
    expect(findingsOf({}, neededException)).toEqual([line])
  })
})
