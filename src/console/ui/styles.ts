/** The stylesheet of every console page. */
export const consoleStyles = `
:root{color-scheme:light dark;--ground:#fff;--surface:#fff;--text:#000;--muted:#495057;--line:#dee2e6;--control:#868e96;--primary:#3b5bdb;--on-primary:#fff;--link:#364fc7;--danger:#a61e1e;--tint:#edf2ff;--focus:#3b5bdb}
@media (prefers-color-scheme:dark){:root:not([data-scheme=light]){--ground:#242424;--surface:#2e2e2e;--text:#c9c9c9;--muted:#a6a6a6;--line:#424242;--control:#828282;--primary:#3b5bdb;--on-primary:#fff;--link:#91a7ff;--danger:#ff8787;--tint:#2b3043;--focus:#748ffc}}
:root[data-scheme=light]{color-scheme:light}
:root[data-scheme=dark]{color-scheme:dark;--ground:#242424;--surface:#2e2e2e;--text:#c9c9c9;--muted:#a6a6a6;--line:#424242;--control:#828282;--primary:#3b5bdb;--on-primary:#fff;--link:#91a7ff;--danger:#ff8787;--tint:#2b3043;--focus:#748ffc}
*{box-sizing:border-box}
html{scroll-padding-block-end:88px}
@media (max-width:400px){html{scroll-padding-block-end:140px}}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
.skip{position:absolute;left:8px;top:-60px;padding:10px 16px;background:var(--primary);color:var(--on-primary)}
.skip:focus{top:0}
header{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:8px 24px;min-height:56px;padding:4px 20px;border-bottom:1px solid var(--line);background:var(--surface)}
header form{display:flex;align-items:center;gap:12px}
.home{font-weight:700;color:inherit;text-decoration:none;min-height:44px;display:inline-flex;align-items:center}
main{max-width:960px;margin:0 auto;padding:24px 20px;outline:none}
main:has(#password){max-width:420px;margin-block:48px;padding:24px;border:1px solid var(--line);border-radius:8px;background:var(--surface)}
h1{font-size:1.625rem;line-height:1.35;margin:8px 0 20px}
h2{font-size:1.2rem;margin:36px 0 10px}
nav ol{display:flex;flex-wrap:wrap;align-items:center;gap:4px 8px;margin:0;padding:0;list-style:none;font-size:.9rem}
nav li+li::before{content:"/ ";color:var(--muted)}
a{color:var(--link)}
nav a{display:inline-flex;align-items:center;min-height:32px}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
table{width:100%;border-collapse:collapse;background:var(--surface);border:1px solid var(--line)}
th,td{padding:10px 12px;text-align:start;border-bottom:1px solid var(--line);vertical-align:top}
th{font-size:.85rem;color:var(--muted)}
tbody th,tfoot th{font-size:inherit;color:inherit;font-weight:600}
tfoot{font-weight:600}
.day{white-space:nowrap}
.number{text-align:end;font-variant-numeric:tabular-nums}
td.number{white-space:nowrap}
.wide{overflow-x:auto}
.programs{display:grid;gap:12px;grid-template-columns:repeat(auto-fill,minmax(240px,1fr));list-style:none;padding:0}
.programs li{padding:16px 20px;border:1px solid var(--line);border-radius:8px;background:var(--surface)}
.programs strong{display:block;margin-bottom:6px}
.programs a{display:inline-flex;align-items:center;min-height:32px;margin-inline-end:16px}
.state{display:inline-block;padding:1px 10px;border:1px solid var(--line);border-radius:99px;font-size:.82rem;white-space:nowrap}
.state.draft{border-color:var(--link);color:var(--link);font-weight:600}
.muted{color:var(--muted);font-size:.9rem}
.notice{padding:12px 16px;border-inline-start:4px solid var(--link);border-radius:8px;background:var(--tint)}
.notice.wrong{border-color:var(--danger)}
.field{margin:14px 0}
.field>label,legend{display:block;font-weight:600;margin-bottom:4px}
input:not([type=checkbox]):not([type=radio]),textarea,select{width:100%;min-height:44px;padding:8px 12px;border:1px solid var(--control);background:var(--surface);color:inherit;font:inherit;border-radius:8px}
textarea{min-height:110px;font-family:ui-monospace,monospace;font-size:.95rem}
.check{display:inline-flex;align-items:center;gap:8px;min-height:44px;margin-inline-end:16px}
.check input{width:20px;height:20px}
fieldset{margin:16px 0;padding:12px 16px;border:1px solid var(--line);border-radius:8px;background:color-mix(in srgb,var(--surface) 60%,transparent);min-width:0}
fieldset fieldset{background:var(--surface)}
.tools{display:flex;flex-wrap:wrap;gap:6px;justify-content:end}
button,.button{display:inline-flex;align-items:center;min-height:44px;padding:0 18px;border:1px solid var(--primary);border-radius:8px;background:var(--primary);color:var(--on-primary);font:inherit;font-weight:600;text-decoration:none;cursor:pointer}
button.quiet{background:none;border-color:var(--control);color:var(--text)}
button.small{min-height:36px;padding:0 10px;font-size:.88rem;font-weight:500}
button.danger{background:none;border-color:var(--danger);color:var(--danger)}
.bar{position:sticky;bottom:0;display:flex;flex-wrap:wrap;gap:10px;padding:12px 0;background:var(--ground);border-top:1px solid var(--line)}
.error{margin:4px 0 0;color:var(--danger);font-weight:600}
.look{width:100%;height:calc(100vh - 220px);min-height:560px;margin-top:16px;border:1px solid var(--line);background:#fff}
main:has(.look){max-width:1400px}
main:has(.full-width){max-width:1200px}
.row{display:flex;flex-wrap:wrap;gap:12px;align-items:end}
.row .field{margin:0;flex:1 1 280px;max-width:480px}
form[role=search]{margin-bottom:20px}
pre{overflow:auto;padding:12px;border:1px solid var(--line);background:var(--surface);font-size:.85rem}
ins,del{display:block;text-decoration:none;padding:0 6px}
ins{background:color-mix(in srgb,var(--primary) 20%,transparent)}
ins::before{content:"+ "}
del{background:color-mix(in srgb,var(--danger) 20%,transparent)}
del::before{content:"− "}
`
