import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { guideChapters, guidePlaces, locales } from '@dala/model'
import { describe, expect, test } from 'vitest'
import { labelsOf } from '../../resources/labels.ts'
import { contentsPage, guideFolder, type GuidePage, missingPage, readSource } from './guide-files.ts'
import { renderGuide } from './render-guide.ts'

const pages: readonly GuidePage[] = [...guideChapters, contentsPage, missingPage]
const allPages = locales.flatMap((locale) => pages.map((page) => ({ locale, page })))

const controlsOf = (source: string) => [...source.matchAll(/\{\{([^}]*)\}\}/gu)].map(([, key = '']) => key)
const anchorsOf = (source: string) => [...source.matchAll(/^## .+ \{#([\w-]+)\}$/gmu)].map(([, anchor = '']) => anchor)
const picturesOf = (source: string) => [...source.matchAll(/!\[([^\]]+)\]\(([^)]+)\)/gu)]
const stepsOf = (source: string) => source.match(/^\d+\. /gmu)?.length ?? 0

describe('the texts of the guide', () => {
  test.each(['uz', 'kaa'] as const)('are rendered in Cyrillic in %s, with addresses as they are', (locale) => {
    for (const page of pages) {
      const [latin, cyrillic] = [renderGuide(locale, page), renderGuide(`${locale}-Cyrl`, page)]
      const partsOf = (html: string) =>
        html.replaceAll(`/guide/${locale}-Cyrl`, `/guide/${locale}`).match(/(?:src|id)="[^"]*"/g)
      expect(partsOf(cyrillic)).toEqual(partsOf(latin))
      expect(cyrillic).toContain(`<html lang="${locale}-Cyrl">`)
      expect(/<main>(.*?)<\/h1>/s.exec(cyrillic)?.[1]).toMatch(/\p{Script=Cyrillic}/u)
    }
  })
  test.each(locales)('contain the same files in %s', (locale) => {
    expect(readdirSync(join(guideFolder, locale)).toSorted()).toEqual(pages.map((page) => `${page}.md`).toSorted())
  })

  test.each(allPages)(
    'name in $locale/$page only controls that exist, by labels without placeholders',
    ({ locale, page }) => {
      const labels: Readonly<Record<string, string>> = labelsOf(locale)
      const wrong = controlsOf(readSource(locale, page)).filter((key) => labels[key]?.includes('{') ?? true)
      expect(wrong).toEqual([])
    },
  )

  test.each(allPages)(
    'have in $locale/$page the headings, steps, controls and pictures of English',
    ({ locale, page }) => {
      const [source, english] = [readSource(locale, page), readSource('en', page)]
      expect(source.match(/^#+ /gmu)).toEqual(english.match(/^#+ /gmu))
      expect(anchorsOf(source)).toEqual(anchorsOf(english))
      expect(stepsOf(source)).toBe(stepsOf(english))
      expect(controlsOf(source).toSorted()).toEqual(controlsOf(english).toSorted())
      expect(picturesOf(source).map(([, , path]) => path)).toEqual(
        picturesOf(english).map(([, , path = '']) => path.replace('/en/', `/${locale}/`)),
      )
    },
  )

  test.each(allPages)('lead in $locale/$page to existing files and anchors', ({ locale, page }) => {
    const source = readSource(locale, page)
    const broken = [...source.matchAll(/\]\(([^)#]+)(?:#([\w-]+))?\)/gu)].filter(([, path = '', anchor]) => {
      const file = join(guideFolder, locale, path)
      if (!existsSync(file)) return true
      return (
        anchor !== undefined && !anchorsOf(readSource(locale, path.replace(/\.md$/u, '') as GuidePage)).includes(anchor)
      )
    })
    expect(broken).toEqual([])
  })

  test.each(guideChapters)('show a picture in the chapter %s', (chapter) => {
    expect(picturesOf(readSource('en', chapter)).length).toBeGreaterThan(0)
  })

  test.each(Object.entries(guidePlaces))('explain the help topic %s at %s', (_topic, place) => {
    const [chapter, anchor = ''] = place.split('#')
    expect(anchorsOf(readSource('en', chapter as GuidePage))).toContain(anchor)
  })
})

describe('renderGuide', () => {
  test.each(allPages)('renders $locale/$page completely, without scripts', ({ locale, page }) => {
    const html = renderGuide(locale, page)
    expect(html).not.toMatch(/\{\{|\{#|<script|\*\*/u)
    expect(html).toContain(`<html lang="${locale}">`)
  })

  test('shows the label of a control in the language of the page', () => {
    expect(renderGuide('en', 'prices')).toContain('<b>As yesterday</b>')
    expect(renderGuide('ru', 'prices')).toContain('<b>Как вчера</b>')
  })

  test('shows the name of a placeholder in a command as text', () => {
    expect(renderGuide('en', 'backups')).toContain('<code>dala restore &lt;backup&gt;</code>')
  })
})
