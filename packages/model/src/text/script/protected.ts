/** Parts of a text that are the same in both scripts: addresses, codes, names, keys and placeholders. */
import { apostrophes } from './orthography.ts'

/** Abbreviations that stay in Latin letters, with or without a suffix: PDF, PDFni. */
const abbreviations =
  'AAC|API|ASCII|AVIF|CPU|CSS|CSV|DNS|DOCX?|GIF|GPS|HEIC|HTML|HTTPS?|ICU|ID|IMAP|IP|ISO|JPE?G|JSON|MFA|MP|NTP|OK|OTP|PDF|PNG|PPTX?|PWA|QR|RAM|RSS|SHA|SMS|SMTP|SQL|SSL|SVG|TLS|TMX|TOTP|TXT|URL|USB|UTC|UTF|UUID|VAPID|VTT|WEBM|WEBP|WebM|WebP|XLIFF|XLSX?|XML|ZIP'

/** Foreign names, which take suffixes too: Exceldan, Telegramga. */
const foreignNames =
  'Android|Apple|App Store|Authenticator|Chrome|Chromium|Docker|Dropbox|Edge|English|Excel|Facebook|Firebase|Firefox|GitHub|Gmail|Google Play|Google|Instagram|JavaScript|LibreOffice|Linux|macOS|Microsoft|Node|OpenDocument|OpenStreetMap|Play Market|PostgreSQL|PowerPoint|Safari|Skype|Telegram|TypeScript|WhatsApp|WhatsUp|Windows|Word|YouTube|Zoom'

/** Keys of the keyboard; short ones are also stems of words (Altın), so keys take no suffix. */
const keys = 'Alt|Backspace|Caps Lock|Cmd|Ctrl|Delete|End|Enter|Esc|Escape|Home|PageDown|PageUp|Shift|Space|Tab'

/** Lower-case names of formats and commands. */
const formats = 'csv|dala migrate|docx|fast start|gif|https?|jpe?g|json|mp|pdf|png|pptx|svg|txt|webm|webp|xlsx'

/** Marks are part of letters: ў may be stored as у with a breve. */
const letter = `[\\p{L}\\p{M}${apostrophes}]`
const before = `(?<!${letter})`
const after = `(?!${letter})`
const suffixes =
  'lar|ler|nı|ni|dı|di|tı|ti|nıń|niń|ning|dıń|diń|tıń|tiń|ǵa|ga|ge|qa|ka|ke|da|de|ta|te|dan|den|tan|ten|nan|nen|dagi|daǵı|degi|taǵı|tegi|si|i|ı'

const addressCharacter = String.raw`[^\s<>"«»“”]`
/** In rich text an address ends before an entity of a space, a quotation mark or a bracket. */
const markupAddressCharacter = `(?:(?!&(?:nbsp|quot|lt|gt|laquo|raquo|ldquo|rdquo|#160|#34|#xa0);)${addressCharacter})`
const apostropheEntity = '&(?:#39|#x27|apos|lsquo|rsquo);'

const addressParts = (character: string) => [
  String.raw`(?:[a-z][a-z\d+.\-]{0,20}:\/\/|www\.|mailto:)${character}+`,
  String.raw`[\w.+\-]{1,64}@[\w\-]{1,63}(?:\.[\w\-]{1,63})+`,
  // A file or domain name with what follows: samples.json, example.org/news, but not the form of a date, kk.oo.yyyy.
  String.raw`${before}(?!(?:kk|aa|oo)\.)[A-Za-z\d_\-]{1,63}(?:\.[a-z][A-Za-z\d_\-]{0,62})+${after}(?:[\/?#]${character}*)?`,
]

const otherParts = [
  String.raw`\{[^{}]*\}`,
  // Names of controls in help: [prices.asYesterday].
  String.raw`\[[A-Za-z][\w.\-]*\]`,
  // A name of a messenger: @dala_uz.
  String.raw`(?<![\p{L}\p{M}\d])@[A-Za-z\d_.]{2,64}`,
  // A path of the site: /app/home.
  String.raw`(?<![\p{L}\d/])\/[\w\-]+(?:\/[\w.\-:]*)*`,
  String.raw`(?<![\p{L}\d])\.[a-z]{2,5}${after}`,
  // Codes: a list of names with underscores, letters with digits, camel case, Roman numbers.
  String.raw`${before}[a-z]+_[a-z_]{1,60}(?:, [a-z_]{1,60}(?=[,;.]))*`,
  String.raw`${before}[\p{L}\p{M}]+(?=[\d_])[\p{L}\p{M}\d_]*`,
  String.raw`${before}[a-z]+[A-Z][A-Za-z]*${after}`,
  String.raw`${before}[IVX]{2,}${after}`,
  // A key of one letter; U and O are words, a letter with a full stop is an initial.
  String.raw`${before}[A-NP-TV-Z](?![.\d])${after}`,
  `${before}(?:${foreignNames}|${abbreviations})(?=(?:${suffixes})?${after})`,
  `${before}(?:${keys}|${formats})${after}`,
]

/** Matches the protected parts of a text, with bounded repeats because texts come from users; a global expression, for `matchAll` only. */
export const protectedPattern = new RegExp([...addressParts(addressCharacter), ...otherParts].join('|'), 'gu')

/** Matches the protected parts of a text between tags, which has entities besides. */
export const protectedMarkupPattern = new RegExp(
  [...addressParts(markupAddressCharacter), String.raw`&(?:#\d+|#[xX][\dA-Fa-f]+|[A-Za-z]+\d*);`, ...otherParts].join(
    '|',
  ),
  'gu',
)

/** Matches addresses, and as `word` the words between tags that have an apostrophe written as an entity. */
export const entityWordPattern = new RegExp(
  [...addressParts(markupAddressCharacter), `(?<!\\p{L})(?<word>\\p{L}+(?:${apostropheEntity}\\p{L}+)+)`].join('|'),
  'gu',
)
export const apostropheEntityPattern = new RegExp(apostropheEntity, 'g')

/** Matches the words of a text: letters with apostrophes inside, or after o and g. */
export const wordPattern = new RegExp(
  `\\p{L}[\\p{L}\\p{M}]*(?:[${apostrophes}]\\p{L}[\\p{L}\\p{M}]*)*(?:[ʻʼ]|(?<=[OoGg])[${apostrophes}])?`,
  'gu',
)
