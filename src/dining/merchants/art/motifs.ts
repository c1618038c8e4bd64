interface Ink {
  ink: string
  light: string
  warm: string
}

type Motif = (ink: Ink) => string

/** An empty plate. Every motif is centered on 0,0 and about 120 wide. */
const plate = ({ light, ink }: Ink) =>
  `<ellipse cy="22" rx="62" ry="17" fill="${ink}" opacity=".22"/><ellipse cy="16" rx="60" ry="17" fill="${light}"/><ellipse cy="15" rx="44" ry="11" fill="${ink}" opacity=".08"/>`

const bowl = ({ light, warm, ink }: Ink, inside: string) =>
  `<ellipse cy="34" rx="46" ry="9" fill="${ink}" opacity=".22"/><path d="M-54-8h108q-4 42-54 42t-54-42z" fill="${warm}"/><path d="M-50 8h100" stroke="${light}" stroke-width="4" opacity=".6"/><ellipse cy="-8" rx="54" ry="13" fill="${light}"/>${inside}`

const sushi: Motif = (c) =>
  plate(c) +
  [-32, 0, 32]
    .map(
      (x) =>
        `<rect x="${x - 13}" y="-6" width="26" height="18" rx="6" fill="#fffdf7"/><path d="M${x - 15}-4q15-14 30 0l-2 8h-26z" fill="${c.warm}"/><path d="M${x - 8}-8l6 9M${x + 2}-9l6 9" stroke="${c.light}" stroke-width="2" opacity=".7"/>`,
    )
    .join('') +
  `<path d="M-58-30l116 10M-56-36l116 8" stroke="${c.ink}" stroke-width="3" stroke-linecap="round"/>`

const ramen: Motif = (c) =>
  bowl(
    c,
    `<path d="M-40-8q10-10 20 0t20 0 20 0 20 0" fill="none" stroke="#e8c468" stroke-width="5"/><ellipse cx="-18" cy="-12" rx="13" ry="7" fill="#fff"/><circle cx="-18" cy="-12" r="5" fill="#f2a541"/><path d="M10-18h26v8H10z" fill="${c.ink}"/><path d="M30-12l34-44M38-10l34-42" stroke="${c.ink}" stroke-width="3" stroke-linecap="round"/>`,
  )

const pasta: Motif = (c) =>
  plate(c) +
  `<path d="M-34 8q6-26 34-26t34 26q-34 12-68 0z" fill="#f0c868"/><path d="M-28 4q14-18 28 0t28 0M-24-4q12-14 24 0t24-2M-16-12q8-8 16 0t16-2" fill="none" stroke="${c.ink}" stroke-width="2" opacity=".35"/><circle cx="-8" cy="-10" r="7" fill="${c.warm}"/><circle cx="10" cy="-6" r="6" fill="${c.warm}"/><path d="M0-20q10-10 14 2-8 4-14-2z" fill="#5b8c5a"/>`

const pizza: Motif = (c) =>
  `<ellipse cy="22" rx="60" ry="15" fill="${c.ink}" opacity=".22"/><path d="M-56-20q56-34 112 0L0 34z" fill="#e9b65f"/><path d="M-46-16q46-26 92 0L0 26z" fill="${c.warm}"/><path d="M-40-12q40-20 80 0L0 20z" fill="#f7d98b"/><circle cx="-14" cy="-8" r="8" fill="${c.warm}"/><circle cx="14" cy="-12" r="7" fill="${c.warm}"/><circle cx="2" cy="6" r="6" fill="${c.warm}"/>`

const taco: Motif = (c) =>
  plate(c) +
  [-24, 22]
    .map(
      (x) =>
        `<path d="M${x - 26} 10a26 30 0 0152 0z" fill="#eab651"/><path d="M${x - 22}-8q6-12 12-4 6-12 12-2 6-10 14 2l4 6h-46z" fill="#6a994e"/><circle cx="${x - 8}" cy="-10" r="4" fill="${c.warm}"/><circle cx="${x + 8}" cy="-12" r="4" fill="${c.warm}"/><path d="M${x - 26} 10a26 30 0 0152 0z" fill="#f2cc74" transform="translate(0 3) scale(1 .9)"/>`,
    )
    .join('')

const dumplings: Motif = (c) =>
  `<ellipse cy="30" rx="60" ry="11" fill="${c.ink}" opacity=".22"/><path d="M-58-4h116v28q-58 16-116 0z" fill="#c89b5e"/><path d="M-58 8h116M-58 18h116" stroke="${c.ink}" stroke-width="2" opacity=".3"/><ellipse cy="-4" rx="58" ry="14" fill="#e3bd84"/>` +
  [-30, 0, 30]
    .map(
      (x) =>
        `<path d="M${x - 16}-4q2-20 16-22 14 2 16 22-16 8-32 0z" fill="${c.light}"/><path d="M${x}-26l-4 14M${x}-26l4 14" stroke="${c.ink}" stroke-width="1.5" opacity=".4"/>`,
    )
    .join('')

const curry: Motif = (c) =>
  bowl(
    c,
    `<ellipse cy="-9" rx="46" ry="9" fill="#d9822b"/><path d="M-30-10q10-6 18 0t18-2" fill="none" stroke="${c.light}" stroke-width="3"/><circle cx="20" cy="-8" r="5" fill="#5b8c5a"/><path d="M40-30q26 0 24 26-18 8-34-8z" fill="#efd9a7"/>`,
  )

const grill: Motif = (c) =>
  plate(c) +
  `<path d="M-40 4q-4-24 24-24 20 0 34 6 22 8 18 20-30 14-76-2z" fill="#7a3b2e"/><path d="M-28-10l14 18M-12-14l14 20M4-14l14 20M20-10l10 14" stroke="${c.ink}" stroke-width="3" opacity=".55"/><path d="M24-22q16-18 26 2-12 8-26-2z" fill="#6a994e"/>`

const skewers: Motif = (c) =>
  plate(c) +
  [-10, 6]
    .map(
      (y) =>
        `<path d="M-62 ${y + 4}L60 ${y - 8}" stroke="${c.ink}" stroke-width="3"/>` +
        [-34, -8, 18]
          .map(
            (x) =>
              `<rect x="${x}" y="${y - 10}" width="20" height="16" rx="5" fill="${x === -8 ? '#6a994e' : c.warm}" transform="rotate(-6 ${x} ${y})"/>`,
          )
          .join(''),
    )
    .join('')

const burger: Motif = (c) =>
  `<ellipse cy="34" rx="50" ry="9" fill="${c.ink}" opacity=".22"/><path d="M-46 14h92q2 18-12 18h-68q-14 0-12-18z" fill="#d99a4e"/><path d="M-48 4h96v12h-96z" fill="#6b3a2a"/><path d="M-52-4q12 14 26 2t26 4 26-4 26-2v-8h-104z" fill="#6a994e"/><path d="M-48-12h96l-14 12-10-8-12 8-14-8-14 8z" fill="#f4c542"/><path d="M-48-14q2-30 48-30t48 30z" fill="#e0a458"/><path d="M-22-30h4M-4-36h4M14-30h4" stroke="${c.light}" stroke-width="4" stroke-linecap="round"/>`

const fish: Motif = (c) =>
  plate(c) +
  `<path d="M-48 0q30-30 66-4l22-16q-4 22 0 40L18 6q-36 24-66-6z" fill="${c.warm}"/><circle cx="-30" cy="-4" r="4" fill="${c.light}"/><path d="M-14-12q8 12 0 22M2-12q8 12 0 20" fill="none" stroke="${c.light}" stroke-width="2" opacity=".7"/><circle cx="40" cy="-16" r="12" fill="#f4d35e"/><circle cx="40" cy="-16" r="8" fill="#faf0ca"/>`

const mezze: Motif = (c) =>
  plate(c) +
  `<circle cx="-26" cy="0" r="18" fill="#efd9a7"/><circle cx="-26" cy="0" r="8" fill="#d9a441"/><circle cx="6" cy="-8" r="10" fill="#8a5a2b"/><circle cx="24" cy="-4" r="10" fill="#8a5a2b"/><circle cx="14" cy="8" r="10" fill="#9c6a35"/><path d="M36-28l18 34H24z" fill="#e8c891"/><circle cx="-4" cy="-24" r="5" fill="#3f5e3a"/><circle cx="-14" cy="-28" r="5" fill="#3f5e3a"/>`

const tapas: Motif = (c) =>
  plate(c) +
  [-34, 0, 34]
    .map(
      (x, index) =>
        `<path d="M${x - 14} 8q0-16 14-16t14 16z" fill="#e8c891"/><circle cx="${x}" cy="-8" r="8" fill="${index === 1 ? '#6a994e' : c.warm}"/><path d="M${x}-34v26" stroke="${c.ink}" stroke-width="2"/>`,
    )
    .join('')

const croissant: Motif = (c) =>
  plate(c) +
  `<path d="M-50 6q4-34 50-36 46 2 50 36-14-12-26-8-8-12-24-12t-24 12q-12-4-26 8z" fill="#dd9f4f"/><path d="M-24-4l-10-18M-8-10l-4-20M8-10l4-20M24-4l10-18" stroke="${c.ink}" stroke-width="2" opacity=".4"/>`

const cup: Motif = (c) =>
  `<ellipse cy="28" rx="58" ry="11" fill="${c.ink}" opacity=".22"/><ellipse cy="24" rx="54" ry="11" fill="${c.light}"/><path d="M-34-24h68q0 46-34 46t-34-46z" fill="${c.warm}"/><path d="M32-14q24-4 20 14-4 12-26 8" fill="none" stroke="${c.warm}" stroke-width="7"/><ellipse cy="-24" rx="34" ry="9" fill="#5c3a21"/><path d="M-10-24q10 8 20 0-10-8-20 0z" fill="${c.light}"/><path d="M-10-44q-8-10 0-20M8-44q-8-10 0-20" fill="none" stroke="${c.light}" stroke-width="3" stroke-linecap="round" opacity=".8"/>`

const salad: Motif = (c) =>
  bowl(
    c,
    `<path d="M-44-10q4-24 20-14 4-22 24-12 14-16 26 2 18-6 18 24-44 12-88 0z" fill="#6a994e"/><circle cx="-14" cy="-16" r="7" fill="#d1495b"/><circle cx="14" cy="-22" r="6" fill="#d1495b"/><path d="M24-12q10-10 16 0z" fill="#f4d35e"/>`,
  )

const steak: Motif = (c) =>
  grill(c) +
  `<path d="M-66-34v52M-60-34v52M-72-34v20q0 8 9 8t9-8v-20" fill="none" stroke="${c.ink}" stroke-width="3" stroke-linecap="round"/>`

const wine: Motif = (c) =>
  `<ellipse cx="6" cy="34" rx="50" ry="9" fill="${c.ink}" opacity=".22"/><path d="M-34-50h14v22q12 6 12 22v40h-38v-40q0-16 12-22z" fill="#2f4a36"/><path d="M-46 0h38v20h-38z" fill="${c.light}"/><path d="M12-34h40q2 34-20 38-22-4-20-38zM30 4h4v24h-4zM18 28h28v4H18z" fill="${c.light}"/><path d="M14-22h36q-2 22-18 24-16-2-18-24z" fill="${c.warm}"/>`

const lobster: Motif = (c) =>
  plate(c) +
  `<path d="M0 10q-26-4-22-30 22-16 44 0 4 26-22 30z" fill="${c.warm}"/><path d="M-22-16q-24-6-26-24 18-8 26 8M22-16q24-6 26-24-18-8-26 8" fill="${c.warm}"/><path d="M-14-24q-8-20-24-26M14-24q8-20 24-26" fill="none" stroke="${c.warm}" stroke-width="3"/><circle cx="-6" cy="-22" r="3" fill="${c.ink}"/><circle cx="6" cy="-22" r="3" fill="${c.ink}"/>`

const stew: Motif = (c) =>
  `<ellipse cy="26" rx="62" ry="12" fill="${c.ink}" opacity=".2"/><ellipse cy="14" rx="60" ry="20" fill="#c9b28f"/><circle cx="-24" cy="8" r="14" fill="#a33b20"/><circle cx="8" cy="2" r="14" fill="#d9822b"/><circle cx="30" cy="14" r="12" fill="#6a994e"/><circle cx="-2" cy="20" r="9" fill="#f0c868"/>`

/** Motifs by the cuisine names of merchants. */
export const motifs: Record<string, Motif> = {
  Japanese: sushi,
  Sushi: sushi,
  Ramen: ramen,
  Italian: pasta,
  Pizza: pizza,
  Mexican: taco,
  Thai: curry,
  Chinese: dumplings,
  Indian: curry,
  Korean: skewers,
  Vietnamese: ramen,
  French: croissant,
  American: grill,
  Steakhouse: steak,
  Burgers: burger,
  Barbecue: grill,
  Seafood: fish,
  Mediterranean: mezze,
  'Middle Eastern': mezze,
  Spanish: tapas,
  Bakery: croissant,
  Café: cup,
  Vegetarian: salad,
  Caribbean: lobster,
  Peruvian: fish,
  Ethiopian: stew,
  'Wine Bar': wine,
}
