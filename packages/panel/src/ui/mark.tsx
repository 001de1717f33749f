/** Logo of the product: a young plant. */
export function TextMark({ size = 30 }: { size?: number }) {
  return (
    <svg
      viewBox="0 0 32 32"
      width={size}
      height={size}
      aria-hidden
      fill="none"
      stroke="currentColor"
      strokeWidth="2.6"
      strokeLinecap="round"
    >
      <path d="M16 29V13" />
      <path d="M16 19c-6 0-10-3.600-10-9 6 0 10 3.600 10 9Z" />
      <path d="M16 13c0-5 3.400-9 9.500-9.500C25.500 9 21.500 13 16 13Z" />
    </svg>
  )
}
