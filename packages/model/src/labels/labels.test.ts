import { describe, expect, it } from 'vitest'
import type { Field } from '../fields/field.ts'
import english from './en.json' with { type: 'json' }
import {
  choiceLabel,
  fieldLabel,
  type MessageCandidates,
  resourceSingular,
  resourceTitle,
  sectionLabel,
} from './labels.ts'
import { resources } from '../resources/index.ts'
import { type Resource, screensOf } from '../declaration/define-resource.ts'

// The English catalogue; labels/catalogues.test.ts checks that all catalogues have the same keys.
const messages: Readonly<Record<string, string>> = english
const isMissing = (candidates: MessageCandidates) => candidates.every((key) => !messages[key])

describe.each(Object.values<Resource>(resources).map((resource) => [resource.name, resource] as const))(
  'the labels of %s',
  (_name, resource) => {
    const fields = Object.entries<Field>(resource.fields)

    it('has singular and plural labels of the resource, and labels of each of its screens', () => {
      const keys = [
        resourceTitle(resource),
        resourceSingular(resource),
        ...screensOf(resource).flatMap(({ labelPrefix }) => [
          `${labelPrefix}.many`,
          `${labelPrefix}.one`,
          `${labelPrefix}.about`,
        ]),
      ]
      expect(keys.filter((key) => !messages[key])).toEqual([])
    })
    it('has labels for the fields of the resource', () => {
      expect(fields.map(([name]) => fieldLabel(resource, name)).filter(isMissing)).toEqual([])
    })
    it("has labels for the choices of the resource's fields", () => {
      const choices = fields.flatMap(([name, field]) =>
        field.kind === 'choice' ? field.values.map((value) => choiceLabel(resource, name, value)) : [],
      )
      expect(choices.filter(isMissing)).toEqual([])
    })
    it("has labels for the sections of the resource's form", () => {
      const sections = (resource.form?.sections ?? []).map(({ name }) => sectionLabel(resource, name))
      expect(sections.filter(isMissing)).toEqual([])
    })
  },
)
