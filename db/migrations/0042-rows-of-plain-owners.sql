-- Row-level security is forced on the owner of the tables. Where the owner is no superuser, 0018 and 0025 therefore
-- changed no row: postings of earlier versions stayed without their restaurant, members who had recovered their account
-- counted as not verified, and passkeys from before a recovery still opened the account. Where it is a superuser, nothing
-- is left to change.
alter table postings no force row level security;
alter table members no force row level security;
alter table passkeys no force row level security;

update postings p set merchant_id = coalesce(named.merchant_id, t.merchant_id)
from journal_entries j
  join transactions t on t.partner_id = j.partner_id and t.network_id = j.source_id and t.type_code = 'S'
  left join lateral (
    select min(r.merchant_id) as merchant_id from postings r
    where r.journal_entry_id = j.id and r.account = 'restaurant' having count(distinct r.merchant_id) = 1
  ) named on true
where p.partner_id = j.partner_id and p.journal_entry_id = j.id and j.source = 'transaction' and p.merchant_id is null
  and t.merchant_id is not null;

-- Not where the address was given to another member meanwhile, and nothing newer is overwritten.
update members m set email_verified_at = recovered.at
from (
  select member_id, max(at) filter (where action = 'recovery.password-set') as at,
    max(at) filter (where action = 'member.address-fixed') as fixed_at
  from audit_entries where action in ('recovery.password-set', 'member.address-fixed') group by member_id
) recovered
where recovered.member_id = m.id and m.deleted_at is null and recovered.at > coalesce(recovered.fixed_at, '-infinity')
  and m.email_verified_at is null and m.email_identifies;

delete from passkeys p using (
  select member_id, max(at) as at from audit_entries where action = 'recovery.password-set' group by member_id
) recovered
where recovered.member_id = p.member_id and p.created_at < recovered.at;

alter table postings force row level security;
alter table members force row level security;
alter table passkeys force row level security;
