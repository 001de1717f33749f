import { describe, expect, it } from 'vitest'
import { slugOf, toSlug } from './slug.ts'

describe('toSlug', () => {
  it.each([
    ['Gʻoʻza Paxta', 'goza-paxta'],
    ["O'zbek taomi", 'ozbek-taomi'],
    ['Ǵawasha hám júweri', 'gawasha-ham-juweri'],
    ['SHOLÍ ÓSIRIW', 'sholi-osiriw'],
    ['ılayıqlı ónim', 'ilayiqli-onim'],
    ['Хлопок и щавель', 'khlopok-i-schavel'],
    ['Новый объём, съезд', 'noviy-obyom-syezd'],
    ['Ғўза, Ҳосил, Қўй', 'goza-hosil-qoy'],
    ['Әмиўдәря, Нөкис', 'amiodarya-nokis'],
    ['Crème brûlée & Straße', 'creme-brulee-and-strasse'],
    ['  --NNTlar 2026/27--  ', 'nntlar-2026-27'],
    ['…', ''],
    ['<script>alert(1)</script>', 'script-alert-1-script'],
  ])('converts the title %s to the slug %s', (text, slug) => {
    expect(toSlug(text)).toBe(slug)
  })

  it('limits a slug to 200 characters, never ending with a hyphen', () => {
    const slug = toSlug(`${'a'.repeat(199)} b`)
    expect(slug).toBe('a'.repeat(199))
    expect(toSlug('я'.repeat(500))).toHaveLength(200)
  })
})

describe('slugOf', () => {
  it('makes a slug from the English text, then the Uzbek one, then that of any other language', () => {
    expect(slugOf({ en: 'Seeds', ru: 'Семена' })).toBe('seeds')
    expect(slugOf({ ru: 'Семена', uz: 'Urugʻlar' })).toBe('uruglar')
    expect(slugOf({ ru: 'Семена' })).toBe('semena')
    expect(slugOf('Wheat')).toBe('wheat')
    expect(slugOf(null)).toBe('')
  })
})
