import { describe, expect, it } from 'vitest'
import { decideAccess } from '../access/access.ts'
import type { Resource } from '../declaration/define-resource.ts'
import type { Field } from '../fields/field.ts'
import { importFields, isImportable, mayImport } from './imports.ts'
import { resources } from '../resources/index.ts'

const allResources: readonly Resource[] = Object.values(resources)
const kinds = allResources.filter(isImportable)
const names = kinds.map(({ name }) => name)

describe('the resources that can be imported', () => {
  it('allows imports into lists that staff maintain, with people, places and prices among them', () => {
    for (const name of [
      'pricelists',
      'products',
      'regions',
      'districts',
      'companies',
      'users',
      'tags',
      'faqs',
      'units',
    ])
      expect(names).toContain(name)
  })
  it('allows no import of records that users send, that have states to decide on, or that have files', () => {
    for (const name of [
      'consultations',
      'chatmessages',
      'tradinposts',
      'courses',
      'uploads',
      'sliders',
      'audit',
      'insert_excel',
    ])
      expect(names).not.toContain(name)
  })
  it.each(kinds.map((resource) => [resource.name, resource] as const))(
    'has import columns in %s for every field that a new record needs',
    (_name, resource) => {
      const columns = new Set(importFields(resource).map(({ name }) => name))
      const neededFields = Object.entries<Field>(resource.fields)
        .filter(([, field]) => field.required && !field.readOnly && field.kind !== 'password')
        .map(([name]) => name)
      expect([...columns]).toEqual(expect.arrayContaining(neededFields))
      expect(columns).not.toContain('password')
    },
  )
  it.each(kinds.map((resource) => [resource.name, resource] as const))(
    'allows the import of %s to every role that sees imports',
    (_name, resource) => {
      for (const role of ['admin', 'super-admin', 'owner'] as const) {
        expect(decideAccess(resources.insert_excel.access, 'list', { role, isConsultant: false })).not.toBe(false)
        expect(mayImport(resource, { role, isConsultant: false })).toBe(true)
      }
      expect(mayImport(resource, { role: 'authenticated', isConsultant: false })).toBe(false)
    },
  )
})

describe('the columns of a sheet', () => {
  const keysOf = (resource: Resource) => importFields(resource).map(({ key }) => key)
  it('has one column of a sheet for each language of a localized text', () => {
    expect(keysOf(resources.tags)).toEqual([
      'id',
      ...['name', 'slug'].flatMap((name) => ['en', 'ru', 'uz', 'kaa'].map((locale) => `${name}.${locale}`)),
      'color',
    ])
    expect(keysOf(resources.units)).toContain('short.kaa')
  })
  it('has no column of a sheet for fields that the program sets itself', () => {
    expect(keysOf(resources.pricelists)).toEqual([
      'id',
      'product',
      'district',
      'pricedate',
      'market_type',
      'price',
      'price_max',
      'unit',
      'currency',
      'note',
    ])
  })
})
