import { describe, expect, it } from 'vitest'
import type { Resource } from '../declaration/define-resource.ts'
import type { Field } from '../fields/field.ts'
import { resources } from '../resources/index.ts'
import { fieldInScript, hasScripts } from './record-scripts.ts'

const { title, content } = resources.news.fields

describe('fields with two scripts', () => {
  it('converts translated texts only: no slugs, links or values that the languages share', () => {
    const names = (resource: Resource) =>
      Object.entries<Field>(resource.fields).flatMap(([name, field]) => (hasScripts(field) ? [name] : []))
    expect(names(resources.news)).toEqual(['title', 'description', 'content'])
    expect(names(resources.tags)).toEqual(['name'])
    expect(names(resources.users)).toEqual([])
  })

  it('keeps the tags of rich text, and a text that is in the script already', () => {
    expect(fieldInScript(title, 'Paxta <b>', 'uz', 'cyrillic')).toBe('Пахта <б>')
    expect(fieldInScript(content, '<p>Paxta <b>bor</b></p>', 'uz', 'cyrillic')).toBe('<p>Пахта <b>бор</b></p>')
    expect(fieldInScript(content, '<p>sanʼat va sun&#39;iy</p>', 'uz', 'latin')).toBe('<p>sanʼat va sun&#39;iy</p>')
    expect(fieldInScript(title, 'Пахта', 'uz', 'latin')).toBe('Paxta')
  })
})
