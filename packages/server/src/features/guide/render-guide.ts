/** Renders pages of the guide: Markdown with names of controls from the message catalogue, as plain HTML. */
import { guideChapters, type Locale, localeNames, locales } from '@dala/model'
import { Marked, type Tokens } from 'marked'
import { labelsOf } from '../../resources/labels.ts'
import { contentsPage, type GuidePage, missingPage, readSource, titleOf } from './guide-files.ts'

const htmlSigns: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string) => text.replaceAll(/[&<>"]/gu, (sign) => htmlSigns[sign] ?? sign)

/** The name of a control in a text: `{{prices.publish}}`. */
const controlPattern = /^\{\{([\w.-]+)\}\}/u
/** The anchor at the end of a heading: `{#publish}`. It is the same in every language. */
const anchorPattern = /\s*\{#([\w-]+)\}$/u

function labelOf(locale: Locale, key: string): string {
  const label = (labelsOf(locale) as Readonly<Record<string, string>>)[key]
  if (label === undefined) throw new Error(`The guide names "${key}", which is no message.`)
  return label
}

/** Changes the address of a file beside a page into the address on the server. */
function addressOf(locale: Locale, href: string): string {
  const [, page, anchor = ''] = /^([\w-]+)\.md(#[\w-]+)?$/u.exec(href) ?? []
  if (page === undefined) return href.startsWith('#') ? href : href.replace(/^\.\.\/pictures\//u, '/guide/pictures/')
  return page === contentsPage ? `/guide/${locale}` : `/guide/${locale}/${page}${anchor}`
}

function markedIn(locale: Locale): Marked {
  return new Marked({
    extensions: [
      {
        name: 'control',
        level: 'inline',
        start: (source) => source.indexOf('{{'),
        tokenizer(source) {
          const [raw, key] = controlPattern.exec(source) ?? []
          return raw === undefined || key === undefined ? undefined : { type: 'control', raw, key }
        },
        renderer: (token) => `<b>${escapeHtml(labelOf(locale, String(token['key'])))}</b>`,
      },
    ],
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const [, anchor] = anchorPattern.exec(text) ?? []
        const html = this.parser.parseInline(tokens).replace(anchorPattern, '')
        return `<h${depth}${anchor === undefined ? '' : ` id="${anchor}"`}>${html}</h${depth}>\n`
      },
      html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
      link({ href, tokens }: Tokens.Link) {
        return `<a href="${escapeHtml(addressOf(locale, href))}">${this.parser.parseInline(tokens)}</a>`
      },
      image: ({ href, text }: Tokens.Image) =>
        `<img src="${escapeHtml(addressOf(locale, href))}" alt="${escapeHtml(text)}" width="1100" height="720">`,
    },
  })
}

const languageLinks = (locale: Locale, page: GuidePage) =>
  locales
    .map((each) => {
      const address = page === contentsPage || page === missingPage ? `/guide/${each}` : `/guide/${each}/${page}`
      const current = each === locale ? ' aria-current="true"' : ''
      return `<a href="${address}" lang="${each}" hreflang="${each}"${current}>${localeNames[each]}</a>`
    })
    .join('\n')

const chapterLinks = (locale: Locale, page: GuidePage) =>
  guideChapters
    .map((chapter) => {
      const current = chapter === page ? ' aria-current="page"' : ''
      const title = escapeHtml(titleOf(readSource(locale, chapter)))
      return `<li><a href="/guide/${locale}/${chapter}"${current}>${title}</a></li>`
    })
    .join('\n')

/**
 * Renders a page of the guide.
 *
 * @param locale - The language.
 * @param page - The chapter, the contents or the page for unknown addresses.
 * @returns An HTML document without scripts.
 * @throws When the text names a control that does not exist.
 */
export function renderGuide(locale: Locale, page: GuidePage): string {
  const source = readSource(locale, page)
  const bookTitle = escapeHtml(titleOf(readSource(locale, contentsPage)))
  const title = page === contentsPage ? bookTitle : `${escapeHtml(titleOf(source))} · ${bookTitle}`
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/guide/guide.css">
</head>
<body>
<header>
<a class="book" href="/guide/${locale}">${bookTitle}</a>
<nav class="languages" aria-label="${localeNames[locale]}">
${languageLinks(locale, page)}
</nav>
</header>
<div class="columns">
<nav class="chapters" aria-label="${bookTitle}">
<ol>
${chapterLinks(locale, page)}
</ol>
</nav>
<main>
${markedIn(locale).parse(source, { async: false })}</main>
</div>
</body>
</html>
`
}
