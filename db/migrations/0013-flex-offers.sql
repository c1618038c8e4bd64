-- What a program gives beyond its rate to some of its members at some restaurants.
create table flex_offers (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  public_id text not null unique,
  merchant_id bigint not null references merchants,
  -- The tiers that it is for.
  tiers text[] not null check (tiers <@ array['OptedOut', 'NonActivated', 'OptedIn', 'VIP']),
  -- On top of the program's rate: smallest units per 100 dollars.
  extra_rate int not null check (extra_rate between 1 and 10000),
  starts_on date not null,
  ends_on date,
  unique (partner_id, merchant_id, starts_on)
);
call build_wall('flex_offers');
grant select, insert, update, delete on flex_offers to dineback_app;
