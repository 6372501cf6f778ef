#pragma once
// The page that a recorder writes: style, structure and script, without anything from the network.
//
// The script draws on a 2D canvas with its own perspective, farthest first, so that it looks the same wherever there
// is a browser, with or without a graphics processor.

#include <string_view>

namespace sinew::inline v0 {

namespace detail {

inline constexpr std::string_view page_style = R"css(
:root{color-scheme:light dark;--bg:#f7f7f5;--panel:#fff;--ink:#1c1f24;--soft:#5b626d;--line:#d9dbd6;--grid:#e4e5e0;--floor:#b9c1c9;--accent:#0b62a8;--sky0:#f3f5f7;--sky1:#dfe5ea;--shadow:40,48,60}
@media (prefers-color-scheme:dark){:root{--bg:#14171b;--panel:#1b1f25;--ink:#e8eaed;--soft:#a3abb6;--line:#343a43;--grid:#2a3038;--floor:#46525f;--accent:#6db7ff;--sky0:#20262e;--sky1:#14181d;--shadow:0,0,0}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{max-width:1180px;margin:0 auto;padding:16px 20px 32px}
h1{font-size:1.25rem;font-weight:650;margin:0 0 10px;letter-spacing:-.01em}
h2{font-size:.95rem;font-weight:600;margin:0 0 2px}
.stage{position:relative;background:var(--panel);border:1px solid var(--line);border-radius:10px;overflow:hidden}
#view{display:block;width:100%;height:min(56vh,560px);min-height:300px;touch-action:none;cursor:grab}
#view:active{cursor:grabbing}
#clock{position:absolute;left:14px;top:10px;font-variant-numeric:tabular-nums;color:var(--soft);pointer-events:none}
.controls{display:flex;flex-wrap:wrap;gap:8px;align-items:center;padding:8px 10px;border-top:1px solid var(--line)}
button,select{font:inherit;color:inherit;background:var(--bg);border:1px solid var(--line);border-radius:7px;min-height:36px;min-width:40px;padding:4px 11px;cursor:pointer}
button:hover,select:hover{border-color:var(--soft)}
#play{min-width:76px;background:var(--accent);border-color:var(--accent);color:var(--panel);font-weight:600}
#scrub{flex:1 1 220px;min-width:140px;accent-color:var(--accent);height:28px}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
label{color:var(--soft)}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,340px),1fr));gap:14px;margin-top:14px}
.charts.pairs{grid-template-columns:repeat(auto-fit,minmax(min(100%,440px),1fr))}
figure{margin:0;background:var(--panel);border:1px solid var(--line);border-radius:10px;padding:10px 12px 8px}
figure canvas{display:block;width:100%;height:210px;touch-action:pan-y;border-radius:4px}
.legend{display:flex;flex-wrap:wrap;gap:2px 14px;color:var(--soft);font-size:.86rem;font-variant-numeric:tabular-nums;min-height:1.4em}
.legend svg{vertical-align:middle;margin-right:5px}
table{border-collapse:separate;border-spacing:0;overflow:hidden;margin-top:14px;background:var(--panel);border:1px solid var(--line);border-radius:10px;width:100%;font-size:.92rem}
th,td{text-align:left;padding:5px 12px;border-top:1px solid var(--line);vertical-align:top}
tr:first-child>*{border-top:0}
th{font-weight:500;color:var(--soft);width:38%}
td{font-variant-numeric:tabular-nums}
.keys{color:var(--soft);font-size:.86rem;margin:12px 2px 0}
kbd{font:inherit;border:1px solid var(--line);border-radius:4px;padding:0 5px;background:var(--panel)}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
@media (max-width:520px){main{padding:10px 10px 24px}h1{font-size:1.1rem}#view{height:46vh}figure canvas{height:180px}.controls{gap:6px;justify-content:space-between}#scrub{order:-1;flex-basis:100%}button,select{min-width:36px;padding:4px 8px}#play{min-width:64px}#word{display:none}}
)css";

inline constexpr std::string_view page_body = R"html(
<main>
<h1 id="title"></h1>
<section class="stage" aria-label="Three-dimensional view">
<canvas id="view" tabindex="0" role="img" aria-label="Bodies in motion. Drag to orbit, use the arrow keys to turn the camera, plus and minus to zoom."></canvas>
<div id="clock" aria-hidden="true"></div>
<div class="controls">
<button id="play" aria-label="Play or pause">Play</button>
<button id="back" aria-label="One frame back">&#8249;</button>
<button id="next" aria-label="One frame on">&#8250;</button>
<input id="scrub" type="range" min="0" max="0" step="1" value="0" aria-label="Time">
<label><span id="word">Speed </span><select id="speed" aria-label="Speed"><option value="0.1">0.1x</option><option value="0.25">0.25x</option><option value="0.5">0.5x</option><option value="1" selected>1x</option><option value="2">2x</option><option value="4">4x</option></select></label>
<button id="home" aria-label="Reset the view">Reset</button>
</div>
</section>
<div class="charts" id="charts"></div>
<table id="summary"><caption class="hidden">Summary of the run</caption><tbody></tbody></table>
<p class="keys">Keys: <kbd>space</kbd> play or pause, <kbd>,</kbd> <kbd>.</kbd> one frame, arrows orbit, <kbd>shift</kbd> + arrows pan, <kbd>+</kbd> <kbd>&minus;</kbd> zoom, <kbd>home</kbd> reset. Drag to orbit, right drag or two fingers to pan, wheel or pinch to zoom. In a plot, arrows move the time.</p>
</main>
)html";

inline constexpr std::string_view page_script_view = R"js(
'use strict';
const floats=s=>{const b=atob(s),u=new Uint8Array(b.length);for(let i=0;i<b.length;i++)u[i]=b.charCodeAt(i);return new Float32Array(u.buffer)};
const D=JSON.parse(document.getElementById('data').textContent);
const T=floats(D.times),X=floats(D.state),N=T.length;
const $=i=>document.getElementById(i);
$('title').textContent=D.title;document.title=D.title;
const css=n=>getComputedStyle(document.documentElement).getPropertyValue(n).trim();
const palette=['#3b7cb8','#d9822b','#4a9e6b','#b5504f','#8067a9','#8c7356','#c06fa4','#7d8590','#a8a33f','#3fa3b0'];
let theme={};
const readTheme=()=>{for(const n of ['bg','panel','ink','soft','line','grid','floor','accent','sky0','sky1','shadow'])theme[n]=css('--'+n)};
readTheme();
// ---- vectors
const add=(a,b)=>[a[0]+b[0],a[1]+b[1],a[2]+b[2]],sub=(a,b)=>[a[0]-b[0],a[1]-b[1],a[2]-b[2]],mul=(a,k)=>[a[0]*k,a[1]*k,a[2]*k];
const dot=(a,b)=>a[0]*b[0]+a[1]*b[1]+a[2]*b[2],cross=(a,b)=>[a[1]*b[2]-a[2]*b[1],a[2]*b[0]-a[0]*b[2],a[0]*b[1]-a[1]*b[0]];
const len=a=>Math.sqrt(dot(a,a)),unit=a=>mul(a,1/(len(a)||1));
const turn=(q,v)=>{const u=[q[1],q[2],q[3]],t=mul(cross(u,v),2);return add(add(v,mul(t,q[0])),cross(u,t))};
// ---- state of shape i at frame f
const times=(a,b)=>{const v=cross([a[1],a[2],a[3]],[b[1],b[2],b[3]]);return [a[0]*b[0]-a[1]*b[1]-a[2]*b[2]-a[3]*b[3],...[0,1,2].map(k=>a[0]*b[k+1]+b[0]*a[k+1]+v[k])]};
const at=(i,f)=>{const s=D.shapes[i],o=f*D.stride+s.at;let p=[0,0,0],q=[1,0,0,0];if(s.at>=0){p=[X[o],X[o+1],X[o+2]];if(s.turns)q=[X[o+3],X[o+4],X[o+5],X[o+6]]}
if(s.local){p=add(p,turn(q,s.local));q=times(q,s.local.slice(3))}return {p,q}};
const M=(D.meshes||[]).map(m=>{const v=floats(m.points),points=[];for(let i=0;i<v.length;i+=3)points.push([v[i],v[i+1],v[i+2]]);return {...m,points,reach:Math.max(...points.map(len))}});
const C=D.contacts?floats(D.contacts):[];
// the height of its lowest point
const lowest=(s,o)=>{if(s.mesh>=0){let y=1e30;for(const v of M[s.mesh].points)y=Math.min(y,turn(o.q,v)[1]);return o.p[1]+y}const y=k=>{const e=[0,0,0];e[k]=1;return turn(o.q,e)[1]};return s.kind==='box'?o.p[1]-Math.abs(y(0))*s.size[0]-Math.abs(y(1))*s.size[1]-Math.abs(y(2))*s.size[2]:s.kind==='capsule'?o.p[1]-s.size[0]-Math.abs(y(1))*s.size[1]:s.kind==='cylinder'?o.p[1]-Math.abs(y(1))*s.size[1]-Math.sqrt(Math.max(0,1-y(1)**2))*s.size[0]:s.kind==='marker'?o.p[1]:o.p[1]-s.size[0]};
// ---- camera
// It begins where it just sees all that is met: balls around the shapes in some sixty frames, and every curve.
const reach=s=>s.mesh>=0?M[s.mesh].reach:s.kind==='capsule'?s.size[0]+s.size[1]:s.kind==='marker'?0:Math.hypot(...s.size);
const seen=[];
for(let f=0;f<N;f+=Math.max(1,Math.floor(N/60)))D.shapes.forEach((s,i)=>{if(s.kind==='plane')return;const o=at(i,f),p=o.p;if(s.at<0){if(f)return;const put=v=>{const w=add(p,turn(o.q,v));seen.push([w,0,w[1]])};
if(s.kind==='box'){for(const x of [-1,1])for(const y of [-1,1])for(const z of [-1,1])put([x*s.size[0],y*s.size[1],z*s.size[2]]);return}if(s.mesh>=0){M[s.mesh].points.forEach(put);return}}
if(isFinite(p[0]+p[1]+p[2]))seen.push([p,reach(s),lowest(s,at(i,f))])});
D.curves.forEach(c=>c.points.forEach(p=>seen.push([p,0,p[1]])));
let lo=[1e30,1e30,1e30],hi=[-1e30,-1e30,-1e30],under=1e30;
for(const [p,r,y] of seen){under=Math.min(under,y);for(let k=0;k<3;k++){lo[k]=Math.min(lo[k],p[k]-r);hi[k]=Math.max(hi[k],p[k]+r)}}
if(!seen.length){lo=[-1,-1,-1];hi=[1,1,1];under=-1}
const middle=D.follow?[0,0,0]:mul(add(lo,hi),.5),radius=D.follow?D.follow[1]:Math.max(.5*len(sub(hi,lo)),1e-3),floor=D.ground===null?under:D.ground;
if(D.follow)seen.splice(0,seen.length,[[0,0,0],radius]);
else if(D.ground===null)for(const q of seen.slice())if(q[1])seen.push([[q[0][0],floor,q[0][2]],0]); // its shadow
// It may go with a shape: what it sees first is then a ball around that.
const anchor=f=>D.follow?at(D.follow[0],f).p:[0,0,0];
let cam={yaw:D.view[0],pitch:D.view[1],distance:radius*1.8,target:middle},moved=false;
const home=()=>{cam={yaw:D.view[0],pitch:D.view[1],distance:radius*1.8,target:middle.slice()};moved=false;const mx=.46*W/scale,my=.43*H/scale;
for(let k=0;k<6&&seen.length;k++){aim();let d=radius*.3,x0=1e30,x1=-1e30,y0=1e30,y1=-1e30;const all=seen.map(([p,r])=>{const v=sub(p,cam.target);return [dot(v,right),dot(v,up),dot(v,ahead),r]});
for(const [x,y,z,r] of all)d=Math.max(d,(Math.abs(x)+r)/mx-z,(Math.abs(y)+r)/my-z);cam.distance=d;
for(const [x,y,z,r] of all){x0=Math.min(x0,(x-r)/(d+z));x1=Math.max(x1,(x+r)/(d+z));y0=Math.min(y0,(y-r)/(d+z));y1=Math.max(y1,(y+r)/(d+z))}
if(k<5)cam.target=add(cam.target,add(mul(right,d*(x0+x1)/2),mul(up,d*(y0+y1)/2)))}};
const view=$('view'),g=view.getContext('2d');
let W=0,H=0,scale=1;
const fit=()=>{const r=view.getBoundingClientRect(),d=Math.min(window.devicePixelRatio||1,2);W=r.width;H=r.height;view.width=Math.round(W*d);view.height=Math.round(H*d);g.setTransform(d,0,0,d,0,0);scale=Math.min(W,H*1.35)*.95};
let eye,right,up,ahead,look,frame=0;
const aim=()=>{const c=Math.cos(cam.pitch),s=Math.sin(cam.pitch);ahead=[-Math.sin(cam.yaw)*c,-s,-Math.cos(cam.yaw)*c];right=unit(cross(ahead,[0,1,0]));up=cross(right,ahead);look=add(cam.target,anchor(frame));eye=sub(look,mul(ahead,cam.distance))};
const project=p=>{const d=sub(p,eye),z=Math.max(dot(d,ahead),radius*1e-3),k=scale/z;return [W/2+dot(d,right)*k,H/2-dot(d,up)*k,z,k]};
const light=unit([.45,.85,.35]);
const shade=(hex,k)=>{const n=parseInt(hex.slice(1),16),c=v=>Math.max(0,Math.min(255,Math.round(k<1?v*k:v+(255-v)*(k-1))));return `rgb(${c(n>>16)},${c(n>>8&255)},${c(n&255)})`};
const lit=n=>.62+.46*Math.max(0,dot(n,light))+.08*n[1];
// ---- shapes as things to paint
const hullOf=(a,b,ra,rb)=>{const dx=b[0]-a[0],dy=b[1]-a[1],d=Math.hypot(dx,dy);const path=new Path2D();if(d<Math.abs(ra-rb)+1e-6){const m=ra>rb?[a,ra]:[b,rb];path.arc(m[0][0],m[0][1],m[1],0,7);return path}
const t=Math.atan2(dy,dx),o=Math.acos(Math.max(-1,Math.min(1,(ra-rb)/d)));path.arc(a[0],a[1],ra,t+o,t-o+2*Math.PI);path.arc(b[0],b[1],rb,t-o,t+o);path.closePath();return path};
const ball=(p,r,c)=>{const s=project(p),R=r*s[3];return {z:s[2]-r,draw(){const l=[dot(light,right)*R*.45,-dot(light,up)*R*.45],q=g.createRadialGradient(s[0]+l[0],s[1]+l[1],R*.05,s[0],s[1],R);q.addColorStop(0,shade(c,1.32));q.addColorStop(.55,shade(c,1));q.addColorStop(1,shade(c,.62));g.fillStyle=q;g.beginPath();g.arc(s[0],s[1],R,0,7);g.fill()}}};
const capsule=(a,b,r,c)=>{const A=project(a),B=project(b),ra=r*A[3],rb=r*B[3];return {z:(A[2]+B[2])/2,draw(){const path=hullOf(A,B,ra,rb),t=Math.atan2(B[1]-A[1],B[0]-A[0]),R=Math.max(ra,rb),n=[-Math.sin(t),Math.cos(t)],lx=dot(light,right),ly=-dot(light,up),side=n[0]*lx+n[1]*ly>=0?1:-1,m=[(A[0]+B[0])/2,(A[1]+B[1])/2];
const q=g.createLinearGradient(m[0]+n[0]*R*side,m[1]+n[1]*R*side,m[0]-n[0]*R*side,m[1]-n[1]*R*side);q.addColorStop(0,shade(c,1.02));q.addColorStop(.3,shade(c,1.26));q.addColorStop(.62,shade(c,.96));q.addColorStop(1,shade(c,.6));g.fillStyle=q;g.fill(path);g.strokeStyle=shade(c,.5);g.lineWidth=.7;g.globalAlpha=.5;g.stroke(path);g.globalAlpha=1}}};
const polygon=(points,c,n,edge)=>{const s=points.map(project);let z=0;for(const p of s)z+=p[2];z/=s.length;return {z,draw(){g.beginPath();s.forEach((p,i)=>i?g.lineTo(p[0],p[1]):g.moveTo(p[0],p[1]));g.closePath();g.fillStyle=shade(c,lit(n));g.fill();g.strokeStyle=edge?shade(c,lit(n)*.8):shade(c,lit(n));g.lineWidth=edge?1:.6;g.lineJoin='round';g.stroke()}}};
const facing=(p,n)=>dot(n,sub(eye,p))>0;
const boxFaces=[[0,1],[0,-1],[1,1],[1,-1],[2,1],[2,-1]];
const box=(s,o,c,out)=>{for(const [a,d] of boxFaces){const n=[0,0,0];n[a]=d;const N_=turn(o.q,n),centre=add(o.p,mul(N_,s[a]));if(!facing(centre,N_))continue;const u=[0,0,0],v=[0,0,0];u[(a+1)%3]=s[(a+1)%3];v[(a+2)%3]=s[(a+2)%3];const U=turn(o.q,u),V=turn(o.q,v);out.push(polygon([add(add(centre,U),V),add(sub(centre,U),V),sub(sub(centre,U),V),sub(add(centre,U),V)],c,N_,true))}};
const cylinder=(s,o,c,out)=>{const n=24,ring=[];for(let i=0;i<n;i++){const a=2*Math.PI*i/n;ring.push([Math.cos(a),Math.sin(a)])}const P=(i,y)=>add(o.p,turn(o.q,[ring[i%n][0]*s[0],y,ring[i%n][1]*s[0]]));for(let i=0;i<n;i++){const a=2*Math.PI*(i+.5)/n,m=turn(o.q,[Math.cos(a),0,Math.sin(a)]);if(facing(add(o.p,mul(m,s[0])),m))out.push(polygon([P(i,-s[1]),P(i+1,-s[1]),P(i+1,s[1]),P(i,s[1])],c,m,false))}
for(const d of [1,-1]){const m=turn(o.q,[0,d,0]);if(facing(add(o.p,mul(m,s[1])),m)){const f=[];for(let i=0;i<n;i++)f.push(P(i,d*s[1]));out.push(polygon(f,c,m,true))}}};
// lines pale with distance
const blend=(a,b,k)=>{const n=parseInt(a.slice(1),16),m=parseInt(b.slice(1),16),c=s=>Math.round((n>>s&255)*(1-k)+(m>>s&255)*k);return `rgb(${c(16)},${c(8)},${c(0)})`};
const line=(points,c,w)=>{const out=[];for(let i=0;i+1<points.length;i++){const a=project(points[i]),b=project(points[i+1]);out.push({z:(a[2]+b[2])/2,draw(){g.strokeStyle=blend(c,theme.sky1,Math.max(0,Math.min(.75,.4+.4*((a[2]+b[2])/2-cam.distance)/radius)));g.lineWidth=w;g.lineCap='round';g.beginPath();g.moveTo(a[0],a[1]);g.lineTo(b[0],b[1]);g.stroke()}})}return out};
const flat=p=>[p[0],floor,p[2]];
// all shadows are one path, so that they do not darken each other
const shadowOf=(i,f,all)=>{const s=D.shapes[i],o=at(i,f);if(s.kind==='marker'||s.kind==='plane'||s.mesh>=0&&!M[s.mesh].convex||!isFinite(o.p[0]))return;const r=s.size[0];
if(s.kind==='capsule'){const e=turn(o.q,[0,s.size[1],0]),A=project(flat(add(o.p,e))),B=project(flat(sub(o.p,e)));all.addPath(hullOf(A,B,s.size[0]*A[3],s.size[0]*B[3]));return}
let pts=[];if(s.mesh>=0)pts=M[s.mesh].points.map(v=>flat(add(o.p,turn(o.q,v))));else if(s.kind==='box')for(const x of [-1,1])for(const y of [-1,1])for(const z of [-1,1])pts.push(flat(add(o.p,turn(o.q,[x*s.size[0],y*s.size[1],z*s.size[2]]))));
else if(s.kind==='cylinder')for(let k=0;k<16;k++)for(const y of [-1,1])pts.push(flat(add(o.p,turn(o.q,[Math.cos(k*.3927)*s.size[0],y*s.size[1],Math.sin(k*.3927)*s.size[0]]))));
else for(let k=0;k<14;k++)pts.push([o.p[0]+Math.cos(k*.4488)*r,floor,o.p[2]+Math.sin(k*.4488)*r]);
let q=pts.map(project).map(p=>[p[0],p[1]]).sort((a,b)=>a[0]-b[0]||a[1]-b[1]);const half=l=>{const h=[];for(const p of l){while(h.length>1&&(h[h.length-1][0]-h[h.length-2][0])*(p[1]-h[h.length-2][1])-(h[h.length-1][1]-h[h.length-2][1])*(p[0]-h[h.length-2][0])<=0)h.pop();h.push(p)}h.pop();return h};const hull=half(q).concat(half(q.reverse()));if(hull.length>2){hull.forEach((p,k)=>k?all.lineTo(p[0],p[1]):all.moveTo(p[0],p[1]));all.closePath()}};
// ---- solids: each is drawn whole, in an order that their faces tell
// What lies outside of a face that is seen is before the solid; outside of one that is not seen, behind it.
const outward=p=>{let n=[0,0,0];for(let i=0;i<p.length;i++)n=add(n,cross(sub(p[i],p[0]),sub(p[(i+1)%p.length],p[0])));return unit(n)};
const mix=(c,k)=>{const n=parseInt(c.slice(1),16),m=[138,146,156];return '#'+[16,8,0].map((b,i)=>Math.round((n>>b&255)*(1-k)+m[i]*k).toString(16).padStart(2,'0')).join('')};
const solid=(pts,r,planes,things,one)=>{let x0=1e30,x1=-1e30,y0=1e30,y1=-1e30,z=0,c=[0,0,0];for(const p of pts){const q=project(p),k=r*q[3];x0=Math.min(x0,q[0]-k);x1=Math.max(x1,q[0]+k);y0=Math.min(y0,q[1]-k);y1=Math.max(y1,q[1]+k);z+=q[2]/pts.length;c=add(c,mul(p,1/pts.length))}
let size=r;for(const p of pts)size=Math.max(size,r+len(sub(p,c)));return {z,pts,r,planes,one,size,x0,x1,y0,y1,draw(){for(const t of things)t.draw()}}};
const cut=(planes,pts,r,e,one,way,seen)=>{for(const [n,p,f] of planes){let a=1e30,b=-1e30;for(const q of pts){const d=dot(n,sub(q,p));a=Math.min(a,d);b=Math.max(b,d)}if(a-r>-e)seen[f?way:-way]=1;else if(one&&b+r<e)seen[f?-way:way]=1}};
// What is both before and behind another does not cover it, nor is covered.
const after=(a,b)=>{const e=.03*Math.min(a.size,b.size),seen={};cut(b.planes,a.pts,a.r,e,b.one,1,seen);cut(a.planes,b.pts,b.r,e,a.one,-1,seen);return (seen[1]||0)-(seen[-1]||0)};
const solids=(s,o,c,out)=>{const things=[],plane=(n,p)=>[n,p,facing(p,n)];
if(s.kind==='sphere'){out.push(solid([o.p],s.size[0],[],[ball(o.p,s.size[0],c)]));return}
if(s.kind==='capsule'){const e=turn(o.q,[0,s.size[1],0]),a=add(o.p,e),b=sub(o.p,e);out.push(solid([a,b],s.size[0],[],[capsule(a,b,s.size[0],c)]));return}
if(s.kind==='box'){const pts=[],planes=[];for(const x of [-1,1])for(const y of [-1,1])for(const z of [-1,1])pts.push(add(o.p,turn(o.q,[x*s.size[0],y*s.size[1],z*s.size[2]])));for(const [a,d] of boxFaces){const n=[0,0,0];n[a]=d;const m=turn(o.q,n);planes.push(plane(m,add(o.p,mul(m,s.size[a]))))}box(s.size,o,c,things);out.push(solid(pts,0,planes,things));return}
if(s.kind==='cylinder'){const pts=[],planes=[];for(let k=0;k<24;k++){const a=k*Math.PI/12,u=[Math.cos(a),0,Math.sin(a)],m=turn(o.q,u);planes.push(plane(m,add(o.p,mul(m,s.size[0]))));for(const y of [-1,1])pts.push(add(o.p,turn(o.q,[u[0]*s.size[0],y*s.size[1],u[2]*s.size[0]])))}for(const y of [-1,1]){const m=turn(o.q,[0,y,0]);planes.push(plane(m,add(o.p,mul(m,s.size[1]))))}cylinder(s.size,o,c,things);out.push(solid(pts,0,planes,things));return}
const m=M[s.mesh],at=s.at<0&&s.placed||m.points.map(v=>add(o.p,turn(o.q,v))),planes=[];if(s.at<0)s.placed=at;
for(const [faces,edge] of [[m.sharp,true],[m.smooth,false]])for(const f of faces){const p=f.map(i=>at[i]),n=outward(p),w=plane(n,p[0]);
if(m.convex){planes.push(w);if(w[2])things.push(polygon(p,c,n,edge))}
else if(p.every(q=>dot(sub(q,eye),ahead)>radius*.02))out.push(solid(p,0,[w],[polygon(p,c,w[2]?n:mul(n,-1),edge)],true))}
if(m.convex)out.push(solid(at,0,planes,things))};
const ordered=all=>{all.sort((a,b)=>b.z-a.z);const first=all.map(()=>[]),out=[],done=new Uint8Array(all.length);
for(let i=0;i<all.length;i++){const a=all[i];if(!a.pts)continue;for(let j=i+1;j<all.length;j++){const b=all[j];if(!b.pts||a.one&&b.one||a.x1<b.x0||b.x1<a.x0||a.y1<b.y0||b.y1<a.y0)continue;const k=after(b,a);if(k<0)first[i].push(j);else if(k>0)first[j].push(i)}}
const visit=i=>{if(done[i])return;done[i]=1;for(const j of first[i])visit(j);out.push(all[i])};for(let i=0;i<all.length;i++)visit(i);return out};
const grid=(o,things)=>{const cell=nice(radius/3),n=7,u=turn(o.q,[1,0,0]),v=turn(o.q,[0,0,1]),d=sub(look,o.p),cu=Math.round(dot(d,u)/cell)*cell,cv=Math.round(dot(d,v)/cell)*cell,P=(i,j)=>add(o.p,add(mul(u,cu+i*cell),mul(v,cv+j*cell)));
for(let i=-n;i<=n;i++)for(let j=-n;j<n;j++)for(const w of [0,1]){const q=w?[P(i,j),P(i,j+1)]:[P(j,i),P(j+1,i)];if(Math.hypot(i,j+.5)<n&&q.every(p=>dot(sub(p,eye),ahead)>radius*.02))things.push(...line(q,theme.floor,1).map(t=>({...t,z:1e9})))}};
const nice=x=>{const e=Math.pow(10,Math.floor(Math.log10(x))),m=x/e;return (m<1.5?1:m<3.5?2:m<7.5?5:10)*e};
const drawGround=()=>{const cell=nice(radius/3),n=7,cx=Math.round(look[0]/cell)*cell,cz=Math.round(look[2]/cell)*cell;if(eye[1]<floor)return;
for(let i=-n;i<=n;i++)for(const way of [0,1]){for(let j=-n;j<n;j++){const P=(u,v)=>way?[cx+u*cell,floor,cz+v*cell]:[cx+v*cell,floor,cz+u*cell];const d=Math.hypot(i,j+.5)/n;if(d>1)continue;const a=P(i,j),b=P(i,j+1);if(dot(sub(a,eye),ahead)<radius*.02||dot(sub(b,eye),ahead)<radius*.02)continue;const A=project(a),B=project(b);g.strokeStyle=theme.floor;g.globalAlpha=(1-d)*.9;g.lineWidth=1;g.beginPath();g.moveTo(A[0],A[1]);g.lineTo(B[0],B[1]);g.stroke()}}g.globalAlpha=1};
const draw=()=>{aim();const sky=g.createLinearGradient(0,0,0,H);sky.addColorStop(0,theme.sky0);sky.addColorStop(1,theme.sky1);g.fillStyle=sky;g.fillRect(0,0,W,H);if(!N)return;drawGround();
if(eye[1]>floor){const all=new Path2D();D.shapes.forEach((s,i)=>shadowOf(i,frame,all));D.triangles.forEach(t=>{const q=t.ids.map(i=>project(flat(at(i,frame).p)));if((q[1][0]-q[0][0])*(q[2][1]-q[0][1])<(q[1][1]-q[0][1])*(q[2][0]-q[0][0]))q.reverse();q.forEach((p,k)=>k?all.lineTo(p[0],p[1]):all.moveTo(p[0],p[1]));all.closePath()});g.fillStyle=`rgba(${theme.shadow},.2)`;g.fill(all)}
const things=[];
D.shapes.forEach((s,i)=>{const o=at(i,frame);if(!isFinite(o.p[0]))return;let c=s.color||palette[(s.group??i)%palette.length];
if(s.rests&&X[frame*D.stride+s.at+7])c=mix(c,.6);
if(s.kind==='plane')grid(o,things);else if(D.solid&&!['marker','point'].includes(s.kind))solids(s,o,c,things);
else if(s.kind==='sphere'||s.kind==='point')things.push(ball(o.p,s.size[0],c));
else if(s.kind==='capsule'){const e=turn(o.q,[0,s.size[1],0]);things.push(capsule(add(o.p,e),sub(o.p,e),s.size[0],c))}
else if(s.kind==='box')box(s.size,o,c,things);
else if(s.kind==='cylinder')cylinder(s.size,o,c,things);
else if(s.kind==='marker'){const p=project(o.p),r=Math.max(2,Math.min(4.5,s.size[0]*p[3]));things.push({z:p[2]-radius*.5,draw(){g.beginPath();g.arc(p[0],p[1],r,0,7);g.fillStyle=theme.panel;g.fill();g.lineWidth=1.6;g.strokeStyle=c;g.stroke()}})}});
D.lines.forEach(l=>things.push(...line(l.ids.map(i=>at(i,frame).p),l.color||theme.soft,l.width)));
D.triangles.forEach(t=>{const p=t.ids.map(i=>at(i,frame).p),n=unit(cross(sub(p[1],p[0]),sub(p[2],p[0]))),m=facing(p[0],n)?n:mul(n,-1);things.push(polygon(p,t.color||palette[0],m,true))});
D.curves.forEach(c=>things.push(...line(c.points,c.color||theme.soft,1.5)));
if(D.solid)for(const t of ordered(things))t.draw();else{things.sort((a,b)=>b.z-a.z);for(const t of things)t.draw()}
if(C.length){g.fillStyle='#d9534f';for(let k=D.met[frame];k<D.met[frame+1];k++){const p=project([C[3*k],C[3*k+1],C[3*k+2]]);g.beginPath();g.arc(p[0],p[1],2.4,0,7);g.fill()}}
$('clock').textContent=T[frame].toFixed(2)+' s'};
)js";

inline constexpr std::string_view page_script_plots = R"js(
// ---- plots
const dashes=[[],[7,4],[2,3],[9,3,2,3],[4,2],[12,4]],lineColours=['#2f77b5','#d9822b','#3f9a68','#b5504f','#8067a9','#8c7356'];
const text=x=>{if(!isFinite(x))return '\u2013';if(x===0)return '0';const a=Math.abs(x);return a>=1e4||a<1e-3?x.toExponential(2).replace('e+','e'):parseFloat(x.toPrecision(4)).toString()};
const plots=D.charts.map((c,n)=>{const fig=document.createElement('figure'),h=document.createElement('h2'),canvas=document.createElement('canvas'),legend=document.createElement('div');h.textContent=c.name;legend.className='legend';legend.setAttribute('aria-live','off');canvas.tabIndex=0;canvas.setAttribute('role','img');
const series=c.series.map((s,i)=>({name:s.name,y:floats(s.values),colour:lineColours[i%6],dash:dashes[i%6]}));
const values=[];for(const s of series)for(const v of s.y)if(isFinite(v)&&(!c.log||v>0))values.push(v);values.sort((a,b)=>a-b);
// a few values far below the others, as rounding in the first frames, do not stretch a logarithmic axis
let lo=values.length?values[c.log?Math.floor(values.length*.02):0]:Infinity,hi=values.length?values[values.length-1]:-Infinity;
if(!(hi>=lo)){lo=c.log?1e-3:0;hi=1}
if(c.log){lo=Math.max(lo,hi*1e-12);lo=Math.floor(Math.log10(lo)+1e-9);hi=Math.ceil(Math.log10(hi)-1e-9);if(hi<=lo)hi=lo+1}else{const size=Math.max(Math.abs(lo),Math.abs(hi));if(hi-lo<=1e-5*size||hi===lo){const pad=size*1e-3||1;lo-=pad;hi+=pad}else{const pad=(hi-lo)*.06;lo-=pad;hi+=pad}}
canvas.setAttribute('aria-label',c.name+' over time; '+series.map(s=>s.name+': from '+text(s.y[0])+' to '+text(s.y[s.y.length-1])).join('; ')+'. Arrow keys move the time.');
series.forEach(s=>{const e=document.createElement('span');e.innerHTML=`<svg width="22" height="8" aria-hidden="true"><line x1="0" y1="4" x2="22" y2="4" stroke="${s.colour}" stroke-width="2.2" stroke-dasharray="${s.dash.join(' ')}"/></svg>`;s.label=document.createElement('span');e.append(s.label);legend.append(e)});
fig.append(h,legend,canvas);$('charts').append(fig);
const k=canvas.getContext('2d');let w=0,hgt=0,L=58;const R=10,Tp=8,B=26;
const px=t=>L+(w-L-R)*(t-T[0])/((T[N-1]-T[0])||1),py=v=>Tp+(hgt-Tp-B)*(1-((c.log?Math.log10(v):v)-lo)/(hi-lo));
const resize=()=>{const r=canvas.getBoundingClientRect(),d=Math.min(window.devicePixelRatio||1,2);w=r.width;hgt=r.height;canvas.width=Math.round(w*d);canvas.height=Math.round(hgt*d);k.setTransform(d,0,0,d,0,0)};
const paint=()=>{k.clearRect(0,0,w,hgt);k.font='11.5px system-ui,sans-serif';k.lineWidth=1;k.textBaseline='middle';k.textAlign='right';
const ticks=[];if(c.log){const step=Math.max(1,Math.ceil((hi-lo)/5));for(let e=Math.ceil(lo/step)*step;e<=hi;e+=step)ticks.push([Math.pow(10,e),e?'1e'+e:'1'])}else{const step=nice((hi-lo)/4),size=Math.max(Math.abs(lo),Math.abs(hi)),digits=Math.max(0,Math.min(12,-Math.floor(Math.log10(step)+1e-9)));for(let v=Math.ceil(lo/step)*step;v<=hi+step*1e-6;v+=step){const z=Math.abs(v)<step*1e-6?0:v;ticks.push([z,z&&(step<1e-4&&size<1e-2||step>=1e4)?parseFloat(z.toPrecision(6)).toExponential().replace('e+','e'):z?z.toFixed(digits):'0'])}}
L=14+Math.max(20,...ticks.map(t=>k.measureText(t[1]).width));
for(const [v,s] of ticks){const y=py(v);k.strokeStyle=theme.grid;k.beginPath();k.moveTo(L,y);k.lineTo(w-R,y);k.stroke();k.fillStyle=theme.soft;k.fillText(s,L-7,y)}
k.textAlign='center';k.textBaseline='top';const ts=nice((T[N-1]-T[0])/5||1);for(let t=Math.ceil(T[0]/ts)*ts;t<=T[N-1]+1e-9;t+=ts){const x=px(t);k.strokeStyle=theme.grid;k.beginPath();k.moveTo(x,Tp);k.lineTo(x,hgt-B);k.stroke();k.fillStyle=theme.soft;k.fillText(parseFloat(t.toFixed(6))+' s',Math.min(x,w-R-8),hgt-B+6)}
k.save();k.beginPath();k.rect(L,Tp-2,w-L-R+1,hgt-Tp-B+4);k.clip();
for(const s of series){k.strokeStyle=s.colour;k.lineWidth=1.8;k.setLineDash(s.dash);k.lineJoin='round';k.beginPath();let pen=false;const m=Math.max(1,Math.floor(N/(2*w)));for(let i=0;i<N;i+=m){const v=s.y[i];if(!isFinite(v)||(c.log&&!(v>0))){pen=false;continue}const x=px(T[i]),y=py(v);pen?k.lineTo(x,y):k.moveTo(x,y);pen=true}k.stroke()}
k.restore();k.setLineDash([]);const x=px(T[frame]);k.strokeStyle=theme.ink;k.globalAlpha=.55;k.lineWidth=1;k.beginPath();k.moveTo(x,Tp);k.lineTo(x,hgt-B);k.stroke();k.globalAlpha=1;
for(const s of series){const v=s.y[frame];s.label.textContent=s.name+'  '+text(v);if(isFinite(v)&&(!c.log||v>0)){k.fillStyle=s.colour;k.beginPath();k.arc(x,Math.max(Tp,Math.min(hgt-B,py(v))),3.2,0,7);k.fill()}}};
const seek=e=>{const r=canvas.getBoundingClientRect(),u=(e.clientX-r.left-L)/(w-L-R);show(nearest(T[0]+u*(T[N-1]-T[0])));pause()};
canvas.addEventListener('pointerdown',e=>{canvas.setPointerCapture(e.pointerId);seek(e)});canvas.addEventListener('pointermove',e=>{if(e.buttons&1)seek(e)});
canvas.addEventListener('keydown',e=>{const d={ArrowRight:1,ArrowLeft:-1,ArrowUp:10,ArrowDown:-10,PageUp:-30,PageDown:30}[e.key];if(d){pause();show(frame+d)}else if(e.key==='Home'){pause();show(0)}else if(e.key==='End'){pause();show(N-1)}else return;e.preventDefault();e.stopPropagation()});
return {resize,paint}});
// ---- time
const nearest=t=>{let a=0,b=N-1;while(a<b){const m=(a+b)>>1;T[m]<t?a=m+1:b=m}return a>0&&t-T[a-1]<T[a]-t?a-1:a};
const show=f=>{frame=Math.max(0,Math.min(N-1,f));$('scrub').value=frame;$('scrub').setAttribute('aria-valuetext',T[frame].toFixed(2)+' seconds');draw();for(const p of plots)p.paint()};
let playing=false,started=0,from=0;
const pause=()=>{playing=false;$('play').textContent='Play'};
const tick=now=>{if(!playing)return;const t=from+(now-started)/1000*parseFloat($('speed').value);if(t>=T[N-1]){show(N-1);pause();return}show(nearest(t));requestAnimationFrame(tick)};
const play=()=>{if(!N)return;if(frame>=N-1)show(0);playing=true;from=T[frame];started=performance.now();$('play').textContent='Pause';requestAnimationFrame(tick)};
const toggle=()=>playing?pause():play();
$('play').onclick=toggle;$('back').onclick=()=>{pause();show(frame-1)};$('next').onclick=()=>{pause();show(frame+1)};
$('scrub').max=Math.max(0,N-1);$('scrub').oninput=e=>{pause();show(+e.target.value)};
$('speed').onchange=()=>{if(playing){from=T[frame];started=performance.now()}};
$('home').onclick=()=>{home();draw()};
// ---- camera by pointer, touch and keys
const orbit=(dx,dy)=>{moved=true;cam.yaw-=dx*.008;cam.pitch=Math.max(-1.5,Math.min(1.5,cam.pitch+dy*.008))};
const pan=(dx,dy)=>{moved=true;const k=cam.distance/scale;cam.target=add(cam.target,add(mul(right,-dx*k),mul(up,dy*k)))};
const zoom=k=>{moved=true;cam.distance=Math.max(radius*.05,Math.min(radius*40,cam.distance*k))};
const fingers=new Map();
view.addEventListener('pointerdown',e=>{view.setPointerCapture(e.pointerId);fingers.set(e.pointerId,[e.clientX,e.clientY])});
for(const n of ['pointerup','pointercancel'])view.addEventListener(n,e=>fingers.delete(e.pointerId));
view.addEventListener('pointermove',e=>{const old=fingers.get(e.pointerId);if(!old)return;const dx=e.clientX-old[0],dy=e.clientY-old[1];if(fingers.size===1){(e.buttons&6)||e.shiftKey?pan(dx,dy):orbit(dx,dy)}else if(fingers.size===2){const other=[...fingers].find(([i])=>i!==e.pointerId)[1],d0=Math.hypot(old[0]-other[0],old[1]-other[1]),d1=Math.hypot(e.clientX-other[0],e.clientY-other[1]);pan(dx/2,dy/2);if(d1>1)zoom(d0/d1)}fingers.set(e.pointerId,[e.clientX,e.clientY]);draw()});
view.addEventListener('contextmenu',e=>e.preventDefault());
view.addEventListener('wheel',e=>{e.preventDefault();zoom(Math.exp(e.deltaY*.0012));draw()},{passive:false});
addEventListener('keydown',e=>{if(e.ctrlKey||e.metaKey||e.altKey)return;const tag=e.target.tagName;if(tag==='SELECT'||(tag==='INPUT'&&e.key.startsWith('Arrow')))return;const a={ArrowLeft:[-30,0],ArrowRight:[30,0],ArrowUp:[0,-30],ArrowDown:[0,30]}[e.key];
if(e.key===' '){if(tag==='BUTTON')return;toggle()}else if(e.key===','){pause();show(frame-1)}else if(e.key==='.'){pause();show(frame+1)}else if(a){e.shiftKey?pan(-a[0],-a[1]):orbit(a[0],a[1]);draw()}else if(e.key==='+'||e.key==='='){zoom(.85);draw()}else if(e.key==='-'){zoom(1/.85);draw()}else if(e.key==='Home'){home();draw()}else return;e.preventDefault()});
// ---- summary and start
for(const [key,value] of D.summary){const r=$('summary').tBodies[0].insertRow(),h=document.createElement('th');h.scope='row';h.textContent=key;r.append(h);r.insertCell().textContent=value}
$('summary').hidden=!D.summary.length;
if(plots.length===2||plots.length===4)$('charts').classList.add('pairs');
const layout=()=>{readTheme();fit();if(!moved)home();for(const p of plots)p.resize();show(frame)};
addEventListener('resize',layout);matchMedia('(prefers-color-scheme: dark)').addEventListener('change',layout);
// #t=3&zoom=2 in the address: stand still at 3 s, from half the distance
const asked=/[#&]t=([0-9.]+)/.exec(location.hash),closer=/[#&]zoom=([0-9.]+)/.exec(location.hash);
layout();
if(closer)zoom(1/Math.max(parseFloat(closer[1])||1,.01));
if(asked)show(nearest(parseFloat(asked[1])));else if(!matchMedia('(prefers-reduced-motion: reduce)').matches)play();
)js";

}  // namespace detail

}  // namespace sinew::inline v0
