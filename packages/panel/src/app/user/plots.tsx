/** Fields seen from above, in the colours of the rail; decoration only. */
export function FieldsPicture() {
  return (
    <svg viewBox="0 0 520 900" preserveAspectRatio="xMidYMid slice" aria-hidden className="absolute inset-0 size-full">
      <g fill="var(--rail-active)">
        <path opacity=".55" d="M-20 210 210 150l44 150-260 70z" />
        <path opacity=".3" d="m222 147 190-50 52 148-198 52z" />
        <path opacity=".42" d="m424 94 130-34v164l-78 20z" />
        <path opacity=".34" d="m-6 384 262-72 34 118-310 84z" />
        <path opacity=".6" d="m268 309 198-52 38 116-202 54z" />
        <path opacity=".26" d="m-22 528 314-86 40 140-366 98z" />
        <path opacity=".46" d="m304 439 204-54 60 172-224 62z" />
        <path opacity=".36" d="m-30 694 366-98 26 92-406 110z" />
        <path opacity=".22" d="m348 593 214-58 10 96-198 54z" />
      </g>
      <g fill="none" stroke="var(--rail)" strokeWidth="1.5" opacity=".7">
        <path d="m16 202 46 164M56 191l47 164M96 181l47 163M136 170l48 163M176 160l48 162" />
        <path d="m292 303 42 116M328 293l42 117M364 284l42 116M400 275l42 116M436 265l40 116" />
        <path d="m340 430 56 174M382 419l58 173M424 408l60 172M466 397l60 172" />
      </g>
      <path d="M-20 380 262 303 560 226" fill="none" stroke="var(--rail-mark)" strokeWidth="2" opacity=".5" />
    </svg>
  )
}
