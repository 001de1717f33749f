import { describe, expectTypeOf, it } from 'vitest'
import { defineResource } from './define-resource.ts'
import { text } from '../fields/text-kinds.ts'
import type { Locale, Translations } from '../locales.ts'
import type { DraftOf, LinkDraft, RecordOf } from './record.ts'
import type { Resources } from '../resources/index.ts'

type District = RecordOf<Resources['districts']>
type NewsRecord = RecordOf<Resources['news']>
type User = RecordOf<Resources['users']>

describe('RecordOf', () => {
  it('gives a value to required and defaulted fields, and allows null for others', () => {
    expectTypeOf<NewsRecord['title']>().toEqualTypeOf<string>()
    expectTypeOf<NewsRecord['views']>().toEqualTypeOf<number>()
    expectTypeOf<NewsRecord['link']>().toEqualTypeOf<string | null>()
    expectTypeOf<NewsRecord['kind']>().toEqualTypeOf<'news' | 'announcement' | 'event'>()
    expectTypeOf<RecordOf<Resources['units']>['name']>().toEqualTypeOf<string | Translations>()
  })
  it('follows links through the registry in both directions', () => {
    expectTypeOf<NonNullable<District['region']>['districts']>().toEqualTypeOf<District[] | undefined>()
    expectTypeOf<NewsRecord['tags']>().toEqualTypeOf<RecordOf<Resources['tags']>[] | undefined>()
  })
  it('omits private fields', () => {
    expectTypeOf<User>().not.toHaveProperty('password')
    expectTypeOf<User>().toHaveProperty('email')
  })
})

describe('DraftOf', () => {
  it('accepts writable fields, and links in each of their forms', () => {
    expectTypeOf<DraftOf<Resources['news']>>().toExtend<{ title?: string | null; tags?: LinkDraft; locale?: Locale }>()
    expectTypeOf<DraftOf<Resources['users']>['password']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<DraftOf<Resources['regions']>>().not.toHaveProperty('districts')
  })
})

describe('defineResource', () => {
  const access = { read: 'authenticated' } as const
  const fields = { name: text() }
  const base = { name: 'x', wire: 'x', fields, access } as const
  it('rejects unknown field names in the title, the columns and the sort', () => {
    // @ts-expect-error -- the field name is misspelt
    defineResource({ ...base, title: 'nam' })
    // @ts-expect-error -- the field name is misspelt
    defineResource({ ...base, title: 'name', list: { columns: ['nam'], search: [] } })
    // @ts-expect-error -- the field name is misspelt
    defineResource({ ...base, title: 'name', list: { columns: [], search: [], sort: 'nam:desc' } })
    defineResource({ ...base, title: 'name', list: { columns: ['name', 'id'], search: ['name'], sort: 'name:desc' } })
  })
})
