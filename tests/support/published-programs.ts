import type { z } from 'zod'
import type { ProgramConfig } from '../../src/programs/partners/contract.ts'

type Config = z.input<typeof ProgramConfig>

const common = {
  customerSupport: {
    phone: { href: 'tel:+18005550100', formatted: '(800) 555-0100' },
    email: { href: 'mailto:help@example.com', display: 'help@example.com' },
  },
} satisfies Partial<Config>

/**
 * Earning rules of programs as published by their operators, as configuration. Rates and bonuses change; these show
 * that such rules can be expressed, and are tested with worked examples. None of them is a program of this project.
 */
export const publishedPrograms = {
  /**
   * An airline: 1 mile per dollar, 3 with offers by email, 5 for VIPs after 11 visits in a year; a first-dine bonus.
   */
  airlineTiers: {
    ...common,
    code: 'airline-tiers',
    name: 'Airline',
    programName: 'Airline Dining',
    currencyName: 'miles',
    currencyType: 'Mile',
    earnRates: { OptedOut: 100, NonActivated: 100, OptedIn: 300, VIP: 500 },
    hasVIP: true,
    vipDinesRequired: 11,
    bonuses: [
      {
        code: 'FIRST-DINE',
        description: '1,000 miles for a first dinner of $25 or more within 30 days',
        amount: 1000,
        dines: 1,
        withinDays: 30,
        minimumCents: 25_00,
        newMembers: true,
      },
    ],
  },
  /** Another airline: half a mile per dollar for members without email offers, whole miles only. */
  airlineHalfMile: {
    ...common,
    code: 'airline-half',
    name: 'Airline',
    programName: 'Airline Dining',
    currencyName: 'miles',
    currencyType: 'Mile',
    earnRates: { OptedOut: 50, NonActivated: 50, OptedIn: 300, VIP: 500 },
    hasVIP: true,
    vipDinesRequired: 11,
  },
  /** A hotel group: 2, 5 and 8 points per dollar; bonus points for three restaurants within 60 days. */
  hotelPoints: {
    ...common,
    code: 'hotel-points',
    name: 'Hotel',
    programName: 'Hotel Dining',
    currencyName: 'points',
    currencyType: 'Point',
    earnRates: { OptedOut: 200, NonActivated: 200, OptedIn: 500, VIP: 800 },
    hasVIP: true,
    vipDinesRequired: 11,
    bonuses: [
      {
        code: 'TRY-THREE',
        description: '1,500 points for dining at three restaurants within 60 days, $20 or more each',
        amount: 1500,
        dines: 3,
        distinctPlaces: true,
        withinDays: 60,
        minimumCents: 20_00,
      },
    ],
  },
  /** A fuel brand: 10 cents per gallon for every whole 50 dollars; debit cards with a PIN do not earn. */
  fuelPerFifty: {
    ...common,
    code: 'fuel-fifty',
    name: 'Fuel',
    programName: 'Fuel Dining',
    currencyName: 'fuel savings',
    currencyType: 'Dollar',
    statusCopy: 'fuel',
    earnRates: { OptedOut: 20, NonActivated: 20, OptedIn: 20, VIP: 20 },
    earnStepCents: 50_00,
    excludesPinDebit: true,
    deferDays: 14,
  },
  /** Cash back of 5, 10 and 15 percent, the last after spending 750 dollars in a year; paid out from 20 dollars. */
  cashBackTiers: {
    ...common,
    code: 'cash-back',
    name: 'Cash back',
    programName: 'Cash Back Dining',
    currencyName: 'cash back',
    currencyType: 'Credit',
    earnRates: { OptedOut: 500, NonActivated: 500, OptedIn: 1000, VIP: 1500 },
    statementCreditFromCents: 20_00,
    hasVIP: true,
    vipDollarsRequired: 750,
  },
  /** A bank's card-linked offer: 10 percent back on 30 dollars or more, at most 9 dollars, without tip and tax. */
  bankOffer: {
    ...common,
    code: 'bank-offer',
    name: 'Bank',
    programName: 'Bank Offers',
    currencyName: 'cash back',
    currencyType: 'Credit',
    earnRates: { OptedOut: 1000, NonActivated: 1000, OptedIn: 1000, VIP: 1000 },
    statementCreditFromCents: 1,
    minimumSpendCents: 30_00,
    maxRewardPerMeal: 9_00,
    countsTip: false,
    countsTax: false,
    linkActivationHours: 24,
  },
} satisfies Record<string, Config>
