/** The styles of the language names in two rows; the page draws them before the program does. */
export const languageNamesClass = 'mb-7 grid grid-cols-[repeat(3,auto)] justify-start gap-x-4 max-md:mb-4'

/** Class that reserves the width of a selected name, so that selecting moves nothing. */
export const languageNameClass =
  'inline-flex min-h-8 items-center text-sm text-muted underline decoration-line-strong underline-offset-4 hover:text-ink aria-pressed:text-ink aria-pressed:decoration-brand-ui aria-pressed:decoration-2 max-md:min-h-11'
